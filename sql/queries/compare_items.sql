-- compare_items: one row per other run of the selection and item that one of it and run
-- $base got right and the other did not: both answers, by option or level, with the
-- distribution as scored.
with answered as (
    select
        scored.run_id,
        scored.benchmark_id,
        scored.item_id,
        scored.status,
        scored.is_right,
        golden_items.type,
        golden_items.tier,
        golden_items.modality,
        golden_items.family,
        coalesce(
            to_json(golden_items.gold_labels),
            to_json(golden_items.options[golden_items.gold_index + 1])
        ) as gold,
        case
            when scored.status = 'ok' then coalesce(
                to_json(predictions.labels),
                to_json(golden_items.options[scored.top_index + 1])
            )
        end as answer,
        case
            when scored.status = 'ok' and predictions.probabilities is not null
                then map_from_entries(list_zip(
                    golden_items.options,
                    normalised(predictions.probabilities, predictions.renormalized)
                ))
        end as probabilities
    from scored
    inner join golden_items
        on scored.benchmark_id = golden_items.benchmark_id
        and scored.item_id = golden_items.item_id
    left join predictions
        on scored.run_id = predictions.run_id
        and scored.item_id = predictions.item_id
    where scored.item_id in (
        select scopes.item_id
        from scopes
        where scopes.benchmark_id = scored.benchmark_id
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
inner join answered as others
    on bases.benchmark_id = others.benchmark_id
    and bases.item_id = others.item_id
where
    bases.run_id = $base
    and others.run_id <> $base
    and bases.is_right <> others.is_right
order by others.run_id, others.is_right, others.item_id
