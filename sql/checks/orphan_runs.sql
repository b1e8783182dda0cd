-- orphan_runs: one row per run whose benchmark or model description is not stored.
-- Source: DESIGN.md §5.
select
    'run ' || runs.run_id as subject,
    case
        when models.model_id is null then 'no model ' || runs.model_id
        else 'no benchmark ' || runs.benchmark_id
    end as detail
from runs
left join models on runs.model_id = models.model_id
left join benchmarks on runs.benchmark_id = benchmarks.benchmark_id
where models.model_id is null or benchmarks.benchmark_id is null
