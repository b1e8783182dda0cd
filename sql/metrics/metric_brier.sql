-- metric_brier: one row per run, report row, method and kind.
-- In [0, 2], lower is better. Mean squared distance from the one-hot gold, over
-- single-answer rows with a distribution.
-- Source: SCORING.md §3 (Brier).
select *
from means
where metric = 'brier'
