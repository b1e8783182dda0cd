-- orphan_events: one row per event of a run, or of the name of a model or benchmark,
-- that is not stored. A name that an event gave may be the subject of a later one.
-- Source: DESIGN.md §5 (run_events, name_events).
with known as (
    select
        'model' as kind,
        name
    from models
    union
    select
        'benchmark' as kind,
        benchmark_id as name
    from benchmarks
    union
    select
        kind,
        value as name
    from name_events
    where event = 'renamed'
),

of_runs as (
    select
        'run ' || run_events.run_id as subject,
        run_events.event || ' at sequence ' || run_events.seq || ': no such run'
            as detail
    from run_events
    left join runs on run_events.run_id = runs.run_id
    where runs.run_id is null
),

of_names as (
    select
        name_events.kind || ' ' || name_events.name as subject,
        name_events.event || ' at sequence ' || name_events.seq || ': no such '
        || name_events.kind as detail
    from name_events
    left join known
        on name_events.kind = known.kind
        and name_events.name = known.name
    where known.name is null
)

select
    subject,
    detail
from of_runs
union all
select
    subject,
    detail
from of_names
