-- compare_items: one row per other run of the selection and item of $items that one of
-- it and run $base got right and the other did not: both answers, with the distribution
-- as scored, by $method. Reads the whole of `terms`, which a selection does not store.
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
        is_right,
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
)

select
    others.run_id,
    others.item_id,
    case when others.is_right then 'won' else 'lost' end as outcome,
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
    and bases.is_right <> others.is_right
order by others.run_id, others.is_right, others.item_id
