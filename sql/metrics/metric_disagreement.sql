-- metric_disagreement: one row per run, report row, method and kind.
-- In [0, 1], lower is better. How often two answers of the run to one item differ in
-- being right: mean over items of 2 k (R - k) / (R (R - 1)), k of R answers right.
-- Null with the reason no_repeats where the run asked once.
-- Source: INFERENCE.md §3.
select *
from repeat_metrics
where metric = 'disagreement'
