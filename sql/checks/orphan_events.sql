-- orphan_events: one row per event of a run that is not stored.
-- Source: DESIGN.md §5 (run_events).
select
    'run ' || run_events.run_id as subject,
    run_events.event || ' at sequence ' || run_events.seq || ': no such run' as detail
from run_events
left join runs on run_events.run_id = runs.run_id
where runs.run_id is null
