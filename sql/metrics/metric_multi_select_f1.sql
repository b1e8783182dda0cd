-- metric_multi_select_f1: one row per run, report row and method.
-- In [0, 1], higher is better. Mean F1 of the picked set against the gold set; a row
-- that is not ok counts 0.
-- Source: METRICS.md, SCORING.md §3 (multi-select).
select *
from means
where metric = 'multi_select_f1'
