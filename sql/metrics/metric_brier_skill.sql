-- metric_brier_skill: one row per run, report row, method and kind. At most 1, higher
-- is better. 1 - soft Brier / the loss of the mean target of all items, which for hard
-- gold is 1 - the sum of squared shares. Null where gold has one class (one_class), all
-- targets are alike (no_headroom), or options differ between items.
-- Source: SUITES.md §3.
select *
from skills
where metric = 'brier_skill'
