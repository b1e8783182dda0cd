-- baselines_listed: one row per benchmark that has an approved baseline: the run that
-- was approved last, unless that was taken back. looks: for how many its error is
-- shared out, null for ever.
-- Source: DESIGN.md §5 (run_events).
with approvals as (
    select
        run_states.benchmark_id,
        run_states.run_id,
        run_states.model,
        run_states.revision,
        run_states.label,
        run_states.is_current,
        run_events.event,
        run_events.reason,
        run_events.value,
        run_events.seq,
        max(run_events.seq) over (partition by run_states.benchmark_id) as last_seq
    from run_events
    inner join run_states on run_events.run_id = run_states.run_id
    where run_events.event in ('baseline_set', 'baseline_cleared')
)

select
    approvals.benchmark_id,
    approvals.run_id,
    approvals.model,
    approvals.revision,
    approvals.label,
    approvals.is_current,
    ingests.ingested_at as approved_at,
    approvals.reason,
    approvals.seq as approval,
    cast(approvals.value as bigint) as looks
from approvals
inner join ingests on approvals.seq = ingests.seq
where
    approvals.seq = approvals.last_seq
    and approvals.event = 'baseline_set'
order by approvals.benchmark_id
