-- items: one row per item of $benchmark with gold, and how hard it is: how many
-- runs of the selection answered it right, and what they gave to gold on average.
with judged as (
    select
        terms.benchmark_id,
        terms.item_id,
        count(*) as n_runs,
        count_if(terms.status = 'ok') as n_ok,
        count_if(terms.is_right) as n_right,
        count(terms.gold_probability) as n_stated,
        mean_of_units(exact_sum(terms.gold_probability), count(terms.gold_probability))
            as mean_gold_probability
    from terms
    where
        terms.rule in (
            select method_rules.rule
            from method_rules
            where method_rules.method_id = $method
        )
    group by terms.benchmark_id, terms.item_id
)

select
    golden_items.item_id,
    golden_items.type,
    golden_items.modality,
    golden_items.tier,
    golden_items.family,
    golden_items.domain,
    coalesce(
        array_to_string(golden_items.gold_labels, ' + '),
        golden_items.options[golden_items.gold_index + 1]
    ) as gold,
    golden_items.option_count,
    golden_items.reference is not null as has_reference,
    judged.n_runs,
    judged.n_ok,
    judged.n_right,
    judged.n_right / nullif(judged.n_runs, 0) as share_right,
    judged.mean_gold_probability,
    golden_items.options,
    golden_items.reference
from golden_items
left join judged
    on golden_items.benchmark_id = judged.benchmark_id
    and golden_items.item_id = judged.item_id
where golden_items.benchmark_id = $benchmark
order by golden_items.item_id
