-- metric_soft_brier: one row per run, report row, method and kind. In [0, 2], lower is
-- better. Mean squared distance from the target (the reference, else the one-hot gold),
-- over single-answer rows with a distribution.
-- Source: SUITES.md §3.
select *
from means
where metric = 'soft_brier'
