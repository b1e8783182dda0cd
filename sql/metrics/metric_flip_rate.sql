-- metric_flip_rate: one row per run, report row, method and kind.
-- In [0, 1], lower is better. Share of items whose top label is not the same in all ok
-- answers, over the items with two of them or more.
-- Null with the reason no_repeats where the run asked once.
-- Source: SUITES.md §2.
select *
from repeat_metrics
where metric = 'flip_rate'
