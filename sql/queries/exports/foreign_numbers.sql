-- foreign_numbers: one row per number of the selection that has a value.
select
    report_metrics.run_id,
    report_metrics.report_row,
    report_metrics.metric,
    report_metrics.kind,
    report_metrics.value,
    report_metrics.n,
    report_metrics.n_scope,
    report.partial_types,
    report.is_incomplete
from report_metrics
inner join report
    on report_metrics.run_id = report.run_id
    and report_metrics.report_row = report.report_row
    and report_metrics.method_id = report.method_id
where report_metrics.value is not null
order by
    report_metrics.run_id,
    report_metrics.report_row,
    report_metrics.metric,
    report_metrics.kind
