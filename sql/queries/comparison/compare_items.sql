-- compare_items: one row per other run of the selection and item of $items that one of
-- it and run $base got right, or right more often where it was asked several times:
-- both answers (the first ones), with the distribution as scored, by $method. Reads the
-- whole of `terms`, which a selection does not store.
with answered as (
    select
        run_id,
        item_id,
        type,
        tier,
        modality,
        family,
        coalesce(to_json(gold_labels), to_json(options[gold_index + 1])) as gold,
        status,
        avg(cast(is_right as integer)) over (partition by run_id, item_id) as share,
        coalesce(to_json(answer_labels), to_json(top_label)) as answer,
        case
            when probabilities is not null
                then map_from_entries(list_zip(options, probabilities))
        end as probabilities
    from terms
    where
        item_id in (select unnest($items))
        and rule in (
            select method_rules.rule
            from method_rules
            where method_rules.method_id = $method
        )
    qualify row_number() over (partition by run_id, item_id order by repeat) = 1
)

select
    others.run_id,
    others.item_id,
    case when others.share > bases.share then 'won' else 'lost' end as outcome,
    others.type,
    others.tier,
    others.modality,
    others.family,
    others.gold,
    bases.status as base_status,
    bases.answer as base_answer,
    bases.probabilities as base_probabilities,
    others.status,
    others.answer,
    others.probabilities
from answered as bases
inner join answered as others on bases.item_id = others.item_id
where
    bases.run_id = $base
    and others.run_id <> $base
    and bases.share <> others.share
order by others.run_id, outcome, others.item_id
