-- foreign_runs: one row per run of the selection: what is known beside its numbers.
select
    run_states.run_id,
    benchmark_states.source as benchmark_source,
    benchmark_states.version as benchmark_version,
    benchmark_states.gold_revision,
    benchmark_states.n_items,
    benchmark_states.items_sha256,
    run_states.rows_sha256,
    models.open_weights,
    models.parameters,
    models.provider,
    models.resolved_name,
    run_states.started_at,
    ingests.ingested_at,
    cast(run_states.settings as varchar) as settings
from run_states
inner join models on run_states.model_id = models.model_id
inner join benchmark_states on run_states.benchmark_id = benchmark_states.benchmark_id
inner join ingests on run_states.seq = ingests.seq
