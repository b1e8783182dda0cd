-- metric_rps: one row per run, report row, method. In [0, 1], lower is better.
-- Mean ranked probability score of the ratings against the gold level.
-- Source: METRICS.md (RPS), SCORING.md §3.
select *
from means
where metric = 'rps'
