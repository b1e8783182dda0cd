-- numbers: one row per run, report row, method, metric and kind of the selection
-- that its items ask for: the number, or its reason.
select
    run_id,
    report_row,
    method_id,
    metric,
    kind,
    value,
    n,
    n_scope,
    reason
from report_metrics
where n_scope > 0
order by run_id, report_row, method_id, metric, kind
