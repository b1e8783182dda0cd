-- suite_entries: one row per version of a suite, entrant and member that it has a run
-- of: the newest current public run of exactly this model, revision and label.
-- Source: SUITES.md §4 (entrants).
select
    suite_members.suite,
    suite_members.version,
    run_states.model
    || coalesce('@' || run_states.revision, '')
    || coalesce('#' || run_states.label, '') as entrant,
    run_states.model,
    run_states.revision,
    run_states.label,
    suite_members.member,
    'rows' as origin,
    run_states.run_id,
    cast(null as varchar) as result_sha256
from suite_members
inner join run_states on suite_members.benchmark_id = run_states.benchmark_id
where run_states.is_current and not run_states.is_private
qualify row_number() over (
    partition by
        suite_members.suite,
        suite_members.version,
        suite_members.member,
        run_states.model,
        run_states.revision,
        run_states.label
    order by run_states.seq desc, run_states.run_id asc
) = 1
