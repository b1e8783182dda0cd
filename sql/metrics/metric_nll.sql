-- metric_nll: one row per run, report row, method and kind.
-- In [0, -ln(floor)], lower is better. Mean of -ln(max(p(gold), floor)), over
-- single-answer rows with a distribution. The logarithm is the same on every platform.
-- Source: SCORING.md §3 (NLL).
select *
from means
where metric = 'nll'
