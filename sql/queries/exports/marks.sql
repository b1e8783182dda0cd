-- marks: one row per run and report row of the selection: what is missing, and how
-- often the run asked.
select
    run_id,
    report_row,
    partial_types,
    is_incomplete,
    n_repeats
from report
inner join runs using (run_id)
order by run_id, report_row
