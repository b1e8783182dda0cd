-- orphan_looks: one row per look of a gate whose run is not stored, or whose approval
-- is none. The candidate of a suite is no run.
-- Source: INFERENCE.md §6.2 (gate_looks).
select
    'look at sequence ' || gate_looks.seq as subject,
    case
        when runs.run_id is null and not starts_with(gate_looks.report_row, 'suite:')
            then 'no run ' || gate_looks.run_id
        else 'no baseline was approved at sequence ' || gate_looks.approval
    end as detail
from gate_looks
left join runs on gate_looks.run_id = runs.run_id
left join run_events
    on gate_looks.approval = run_events.seq
    and run_events.event = 'baseline_set'
where
    run_events.seq is null
    or (runs.run_id is null and not starts_with(gate_looks.report_row, 'suite:'))
