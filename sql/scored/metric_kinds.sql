-- metric_kinds: one row per metric and kind: every number of a report row, as
-- jevdb/base/metrics.py lists them, which fills this view.
-- subset and type say which items a number is about (subset null: those of the type's
-- own ECE), term which column of terms it is made of, counted which of the items it
-- averages.
-- Source: SCORING.md §3, §4.
select *
from (
    values
    $metric_kinds
) as kinds (
    metric,
    kind,
    subset,
    type,
    basis,
    term,
    counted,
    leaves_declared,
    right_types,
    averaged_word
)
