-- run_names: one row per run: its name, its state, its rows by status, and the names
-- that its model had before.
with before as (
    select
        shown,
        list(name order by name) as names
    from name_states
    where kind = 'model' and name <> shown
    group by shown
)

select
    run_states.run_id,
    run_states.benchmark_id,
    run_states.model,
    run_states.revision,
    run_states.label,
    run_states.started_at,
    ingests.ingested_at,
    run_states.is_private,
    run_states.is_withdrawn,
    run_states.is_superseded,
    run_states.n_rows,
    run_states.n_ok,
    run_states.n_invalid,
    run_states.n_unsupported,
    run_states.n_error,
    run_states.n_rejected,
    run_states.seq,
    run_states.n_repeats,
    run_states.is_retired,
    benchmark_names.shown as benchmark_name,
    before.names as former
from run_states
inner join ingests on run_states.seq = ingests.seq
left join name_states as benchmark_names
    on benchmark_names.kind = 'benchmark'
    and run_states.benchmark_id = benchmark_names.name
left join before on run_states.model = before.shown
order by
    run_states.benchmark_id,
    run_states.model,
    run_states.revision nulls first,
    run_states.label nulls first,
    run_states.run_id
