-- metric_rps_skill: one row per run, report row, method and kind.
-- At most 1, higher is better. 1 - soft RPS / the loss of the mean target of all items.
-- Null where all targets are alike (no_headroom), or the levels differ between items.
-- Source: SUITES.md §3.
select *
from skills
where metric = 'rps_skill'
