-- metric_macro_f1: one row per run, report row, method and kind. In [0, 1], higher is
-- better. Mean over the classes in gold or said of 2 TP / (2 TP + FP + FN), of target
-- mass; an answer that is not ok is an FN of its gold class. Null where the options
-- differ between items (no_common_options).
-- Source: SUITES.md §3.
select *
from class_metrics
where metric = 'macro_f1'
