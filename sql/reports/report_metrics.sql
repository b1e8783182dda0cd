-- report_metrics: one row per run, report row, method, metric and kind: every number,
-- or its reason.
-- intelligence and calibration of kind all are the indices I and C, of a type its
-- component.
-- Source: METRICS.md; SUITES.md §3.
select * from metric_accuracy
union all
select * from metric_coverage
union all
select * from metric_ece
union all
select * from metric_tvd
union all
select * from means
union all
select * from repeat_metrics
union all
select * from metric_soft_accuracy
union all
select * from class_metrics
union all
select * from skills
union all
select * from metric_chance
union all
select * from components
union all
select * from indices
