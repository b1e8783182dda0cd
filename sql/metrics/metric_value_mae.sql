-- metric_value_mae: one row per run, report row, method. In [0, 1], lower is better.
-- Mean distance of the expected value of a rating from that of its target, of the range
-- of the item's level values (without values, the levels count evenly).
-- Source: SUITES.md §3.
select *
from means
where metric = 'value_mae'
