-- ece_kinds: one row per kind of ECE: the subset it is over and the basis it states, as
-- jevdb/base/metrics.py lists them, which fills this view.
-- Source: METRICS.md (ECE), SCORING.md §3.
select
    kind,
    subset,
    basis
from (
    values
    $ece_kinds
) as kinds (kind, subset, basis)
