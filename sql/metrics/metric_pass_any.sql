-- metric_pass_any: one row per run, report row, method and kind.
-- In [0, 1], higher is better. Share of items right in at least one repeat; an answer
-- that is not ok is wrong.
-- Null with the reason no_repeats where the run asked once.
-- Source: SUITES.md §2.
select *
from repeat_metrics
where metric = 'pass_any'
