-- compare_numbers: one row per run, report row, method, metric and kind of the
-- selection that its items ask for.
select
    run_id,
    report_row,
    method_id,
    metric,
    kind,
    value,
    n,
    reason
from report_metrics
where n_scope > 0
