-- calibration_numbers: one row per kind of ECE in report row $report_row, with the
-- share of its type's rows that give gold a probability of 0.
select
    metric_ece.kind,
    methods.bins,
    metric_ece.value,
    metric_ece.n,
    metric_ece.n_scope,
    metric_ece.reason,
    report_zero_gold.value as zero_gold_rate
from metric_ece
inner join methods on metric_ece.method_id = methods.method_id
left join report_zero_gold
    on metric_ece.run_id = report_zero_gold.run_id
    and metric_ece.report_row = report_zero_gold.report_row
    and metric_ece.method_id = report_zero_gold.method_id
    and metric_ece.kind = report_zero_gold.kind
where metric_ece.report_row = $report_row
