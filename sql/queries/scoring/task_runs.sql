-- task_runs: one row per run that a task counts: what names it, and what its rows are
-- judged by.
-- Source: SCALE.md §2.
select
    run_id,
    benchmark_id,
    model_id,
    label,
    unsupported_types,
    n_repeats,
    rows_sha256
from runs
where run_id in ($runs)
