-- metric_accuracy_sd: one row per run, report row, method and kind.
-- In [0, 1], lower is better. Standard deviation (n - 1) of the accuracies of the
-- repeats, each by itself.
-- Null with the reason no_repeats where the run asked once.
-- Source: SUITES.md §2.
select *
from repeat_metrics
where metric = 'accuracy_sd'
