-- models_listed: one row per model name of now and revision: its newest description,
-- its current runs and the names it had before. What is retired is there if $retired.
with named as (
    select
        models.* replace (coalesce(name_states.shown, models.name) as name),
        coalesce(name_states.is_retired, false) as is_retired
    from models
    left join name_states
        on name_states.kind = 'model'
        and models.name = name_states.name
),

described as (
    select
        name,
        revision,
        max_by(provider, seq) as provider,
        max_by(open_weights, seq) as open_weights,
        max_by(parameters, seq) as parameters,
        max_by(requested_name, seq) as requested_name,
        max_by(resolved_name, seq) as resolved_name,
        max_by(meta, seq) as meta,
        bool_or(is_retired) as is_retired
    from named
    group by name, revision
),

counted as (
    select
        model,
        revision,
        count_if(is_current) as n_runs
    from run_states
    group by model, revision
),

before as (
    select
        shown,
        list(name order by name) as names
    from name_states
    where kind = 'model' and name <> shown
    group by shown
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
    before.names as former_names,
    nullif(described.is_retired, false) as is_retired,
    described.meta
from described
left join counted
    on described.name = counted.model
    and described.revision is not distinct from counted.revision
left join before on described.name = before.shown
where $retired or not described.is_retired
order by described.name, described.revision nulls first
