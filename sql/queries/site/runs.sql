-- runs: one row per run of the selection: what its run page says of where it
-- comes from.
select
    run_states.run_id,
    models.provider,
    models.open_weights,
    models.parameters,
    models.requested_name,
    models.resolved_name,
    models.meta,
    run_states.settings,
    run_states.source_files,
    run_states.unsupported_types,
    run_states.n_duplicate,
    run_states.rows_sha256
from run_states
inner join models on run_states.model_id = models.model_id
order by run_states.run_id
