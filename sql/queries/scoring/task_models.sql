-- task_models: one row per model of the runs that a task counts.
-- Source: SCALE.md §2.
select
    models.model_id,
    models.name,
    models.revision
from models
where
    models.model_id in (
        select runs.model_id
        from runs
        where runs.run_id in ($runs)
    )
