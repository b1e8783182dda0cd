-- task_rows: one row per answer of the runs that a task counts: all that its digest is
-- of.
-- Source: SCALE.md §2; DESIGN.md §5 (identity).
select
    run_id,
    item_id,
    repeat,
    status,
    reason,
    label_index,
    labels,
    level,
    probabilities,
    cast(returned as varchar) as returned,
    step_probabilities,
    latency_s,
    input_tokens,
    output_tokens,
    cost_usd,
    error,
    cast(meta as varchar) as meta
from predictions
where run_id in ($runs)
