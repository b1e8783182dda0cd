-- metrics_listed: one row per run, report row, method, metric and kind: every number,
-- or the reason why there is none.
select
    run_states.run_id,
    run_states.model,
    run_states.revision,
    run_states.label,
    run_states.benchmark_id,
    report_metrics.report_row,
    report_metrics.method_id,
    report_metrics.gold_revision,
    report_metrics.metric,
    report_metrics.kind,
    report_metrics.value,
    report_metrics.n,
    report_metrics.n_scope,
    report_metrics.reason
from report_metrics
inner join run_states on report_metrics.run_id = run_states.run_id
order by
    run_states.benchmark_id,
    run_states.model,
    run_states.revision nulls first,
    run_states.label nulls first,
    run_states.run_id,
    report_metrics.report_row,
    report_metrics.method_id,
    report_metrics.metric,
    report_metrics.kind
