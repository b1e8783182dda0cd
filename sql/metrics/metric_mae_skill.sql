-- metric_mae_skill: one row per run, report row, method and kind.
-- At most 1, higher is better. 1 - value_mae / the mean distance of the targets' values
-- from their median over all items. Null where all are alike (no_headroom).
-- Source: SUITES.md §3.
select *
from skills
where metric = 'mae_skill'
