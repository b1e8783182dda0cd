-- numbers: one row per run, report row, metric and kind of the selection.
select
    run_id,
    report_row,
    metric,
    kind,
    value,
    n,
    n_scope,
    reason
from report_metrics
order by run_id, report_row, metric, kind
