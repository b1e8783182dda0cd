-- marks: one row per run and report row of the selection: what is missing.
select
    run_id,
    report_row,
    partial_types,
    is_incomplete
from report
order by run_id, report_row
