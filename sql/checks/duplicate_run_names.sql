-- duplicate_run_names: one row per benchmark, model, revision and label that more than
-- one run holds; a superseded run holds no name.
-- Source: DESIGN.md §5 (identity).
select
    'benchmark ' || benchmark_id || ', model ' || model
    || coalesce('@' || revision, '') || coalesce('#' || label, '') as subject,
    'runs ' || string_agg(run_id, ', ' order by run_id) as detail
from run_states
where not is_superseded
group by benchmark_id, model, revision, label
having count(*) > 1
