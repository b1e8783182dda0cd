-- metric_conservative_f1: one row per run, report row, method and kind.
-- In [0, 1], higher is better. Mean over all classes of 2 TP / (2 TP + FP + FN + m), of
-- target mass, where m is the number of answers that are not ok, which are no FN. Null
-- where the options differ between items (no_common_options).
-- Source: SUITES.md §3.
select *
from class_metrics
where metric = 'conservative_f1'
