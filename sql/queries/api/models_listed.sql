-- models_listed: one row per model name and revision: its newest description, and its
-- current runs.
with described as (
    select
        name,
        revision,
        max_by(provider, seq) as provider,
        max_by(open_weights, seq) as open_weights,
        max_by(parameters, seq) as parameters,
        max_by(requested_name, seq) as requested_name,
        max_by(resolved_name, seq) as resolved_name,
        max_by(meta, seq) as meta
    from models
    group by name, revision
),

counted as (
    select
        model,
        revision,
        count_if(is_current) as n_runs
    from run_states
    group by model, revision
)

select
    described.name as model,
    described.revision,
    described.provider,
    described.open_weights,
    described.parameters,
    described.requested_name,
    described.resolved_name,
    coalesce(counted.n_runs, 0) as n_runs,
    described.meta
from described
left join counted
    on described.name = counted.model
    and described.revision is not distinct from counted.revision
order by described.name, described.revision nulls first
