-- runs: one row per run of the selection: what its run page says of where it
-- comes from, and what 1,000 of its rows cost where their costs are known.
with costs as (
    select
        run_id,
        1000
        * cast(sum(cast(cost_usd as decimal(28, 12))) as double)
        / count(cost_usd) as cost_usd
    from predictions
    group by run_id
)

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
    run_states.rows_sha256,
    costs.cost_usd
from run_states
inner join models on run_states.model_id = models.model_id
left join costs on run_states.run_id = costs.run_id
order by run_states.run_id
