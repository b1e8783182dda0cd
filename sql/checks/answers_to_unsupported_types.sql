-- answers_to_unsupported_types: one row per run and type that it declared unsupported
-- and answered all the same.
-- Source: SCORING.md §4.
select
    'run ' || runs.run_id as subject,
    count(*) || ' answers to ' || items.type || ' items, declared unsupported' as detail
from runs
inner join predictions on runs.run_id = predictions.run_id
inner join items
    on runs.benchmark_id = items.benchmark_id
    and predictions.item_id = items.item_id
where
    list_contains(runs.unsupported_types, items.type)
    and predictions.status <> 'unsupported'
group by runs.run_id, items.type
