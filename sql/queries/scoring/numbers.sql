-- numbers: one row per run, report row, method, metric and kind of the selection: the
-- number, or its reason; of $metric alone, if one is given.
select
    run_id,
    report_row,
    method_id,
    gold_revision,
    metric,
    kind,
    value,
    n,
    n_scope,
    reason
from report_metrics
where $metric is null or metric = $metric
order by run_id, report_row, method_id, metric, kind
