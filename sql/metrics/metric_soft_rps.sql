-- metric_soft_rps: one row per run, report row, method. In [0, 1], lower is better.
-- Mean ranked probability score of the ratings against the target (the reference, else
-- the gold level).
-- Source: SUITES.md §3 (rps_skill).
select *
from means
where metric = 'soft_rps'
