-- orphan_predictions: one row per prediction of a run that is not stored, or to an item
-- that its benchmark does not have.
-- Source: DESIGN.md §5.
select
    'run ' || predictions.run_id || ', item ' || predictions.item_id as subject,
    case
        when runs.run_id is null then 'no such run'
        else 'no such item in ' || runs.benchmark_id
    end as detail
from predictions
left join runs on predictions.run_id = runs.run_id
left join items
    on runs.benchmark_id = items.benchmark_id
    and predictions.item_id = items.item_id
where runs.run_id is null or items.item_id is null
