-- metric_ordinal_mae: one row per run, report row, method.
-- In [0, K - 1] levels, lower is better. Mean distance of the expected rating from the
-- gold level.
-- Source: SCORING.md §3 (ordinal MAE).
select *
from means
where metric = 'ordinal_mae'
