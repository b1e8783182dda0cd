-- metric_balanced_accuracy: one row per run, report row, method and kind. In [0, 1],
-- higher is better. Mean over the classes in gold of the share of their target mass
-- that was said right; answers that are not ok are wrong. Null where gold has one class
-- (one_class), or the options differ between items (no_common_options).
-- Source: SUITES.md §3.
select *
from class_metrics
where metric = 'balanced_accuracy'
