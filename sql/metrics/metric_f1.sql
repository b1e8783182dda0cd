-- metric_f1: one row per run, report row, method and kind.
-- In [0, 1], higher is better. 2 TP / (2 TP + FP + FN) of one class: yes of a noul, or
-- what the items name as positive; an answer that is not ok is an FN. Null where they
-- name none, or not the same (no_positive).
-- Source: SUITES.md §3.
select *
from class_metrics
where metric = 'f1'
