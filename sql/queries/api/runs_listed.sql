-- runs_listed: one row per run with its name, its state, and its rows by status.
select
    run_states.run_id,
    run_states.benchmark_id,
    run_states.model,
    run_states.revision,
    run_states.label,
    run_states.started_at,
    ingests.ingested_at,
    run_states.is_current,
    run_states.is_private,
    run_states.is_withdrawn,
    run_states.is_superseded,
    run_states.is_retired,
    run_states.n_rows,
    run_states.n_ok,
    run_states.n_invalid,
    run_states.n_unsupported,
    run_states.n_error,
    run_states.n_duplicate,
    run_states.n_rejected,
    run_states.unsupported_types,
    run_states.settings,
    run_states.source_files,
    run_states.rows_sha256,
    run_states.seq
from run_states
inner join ingests on run_states.seq = ingests.seq
where coalesce($benchmark, run_states.benchmark_id) = run_states.benchmark_id
order by
    run_states.benchmark_id,
    run_states.model,
    run_states.revision nulls first,
    run_states.label nulls first,
    run_states.run_id
