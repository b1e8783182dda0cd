-- current_report: one row per current public run and report row: the results table by
-- the method that is the default everywhere, metrics-md.
-- Source: METRICS.md, docs/sql.md (the ten usual questions).
select report.* exclude (method_id)
from report
inner join run_states on report.run_id = run_states.run_id
where
    report.method_id = 'metrics-md'
    and run_states.is_current
    and not run_states.is_private
