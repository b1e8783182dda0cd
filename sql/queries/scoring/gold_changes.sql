-- gold_changes: one row per item of benchmark $benchmark and gold revision after the
-- first that set its gold: what was set before, and what it is now.
with ordered as (
    select
        golds.gold_revision,
        golds.item_id,
        items.type,
        coalesce(
            to_json(golds.labels), to_json(items.options[golds.label_index + 1])
        ) as gold,
        golds.reference,
        lag(golds.gold_revision) over item_golds as gold_revision_before,
        lag(coalesce(
            to_json(golds.labels), to_json(items.options[golds.label_index + 1])
        )) over item_golds as gold_before,
        lag(golds.reference) over item_golds as reference_before
    from golds
    inner join items
        on golds.benchmark_id = items.benchmark_id
        and golds.item_id = items.item_id
    where golds.benchmark_id = $benchmark
    window item_golds as (
        partition by golds.item_id
        order by golds.gold_revision
    )
)

select
    gold_revision,
    item_id,
    type,
    case
        when gold_revision_before is null then 'added'
        when not (gold is distinct from gold_before) then 'reference'
        when not (reference is distinct from reference_before) then 'gold'
        else 'gold and reference'
    end as change,
    gold_before,
    gold,
    reference_before,
    reference
from ordered
where gold_revision > 1
order by gold_revision, item_id
