-- run_states: one row per run, with its model's name and what its events made of it.
-- model and label are those of now; a run is current when it is neither withdrawn nor
-- superseded, and neither its model nor its benchmark is retired. A reinstatement ends
-- the state that its value names: withdrawn, or where there is none, superseded.
-- Source: DESIGN.md §5 (run_events, name_events).
with changes as (
    select
        run_id,
        max_by(event, seq) filter (where event in ('private', 'public')) as visibility,
        max_by(event, seq) filter (
            where event = 'superseded' or (event = 'reinstated' and value is null)
        ) as holding,
        max_by(event, seq) filter (
            where event = 'withdrawn' or (event = 'reinstated' and value = 'withdrawn')
        ) as standing,
        max(seq) filter (where event = 'relabelled') as relabelled_seq
    from run_events
    group by run_id
),

labels as (
    select
        run_id,
        seq as relabelled_seq,
        value as new_label
    from run_events
    where event = 'relabelled'
)

select
    runs.run_id,
    runs.benchmark_id,
    runs.model_id,
    coalesce(model_names.shown, models.name) as model,
    models.revision,
    case
        when changes.relabelled_seq is null then runs.label else labels.new_label
    end as label,
    runs.started_at,
    coalesce(changes.visibility = 'private', false) as is_private,
    coalesce(changes.standing = 'withdrawn', false) as is_withdrawn,
    coalesce(changes.holding = 'superseded', false) as is_superseded,
    coalesce(changes.standing <> 'withdrawn', true)
    and coalesce(changes.holding <> 'superseded', true)
    and not coalesce(model_names.is_retired, false)
    and not coalesce(benchmark_names.is_retired, false) as is_current,
    runs.unsupported_types,
    runs.settings,
    runs.source_files,
    runs.n_rows,
    runs.n_ok,
    runs.n_invalid,
    runs.n_unsupported,
    runs.n_error,
    runs.n_duplicate,
    runs.n_rejected,
    runs.rows_sha256,
    runs.seq,
    runs.n_repeats,
    coalesce(model_names.is_retired, false)
    or coalesce(benchmark_names.is_retired, false) as is_retired
from runs
inner join models on runs.model_id = models.model_id
left join name_states as model_names
    on model_names.kind = 'model'
    and models.name = model_names.name
left join name_states as benchmark_names
    on benchmark_names.kind = 'benchmark'
    and runs.benchmark_id = benchmark_names.name
left join changes on runs.run_id = changes.run_id
left join labels
    on runs.run_id = labels.run_id
    and changes.relabelled_seq = labels.relabelled_seq
