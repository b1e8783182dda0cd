-- ece_kinds: one row per kind of ECE: the subset it is over and the basis it states.
-- Source: METRICS.md (ECE), SCORING.md §3.
select
    kind,
    subset,
    basis
from (
    values
    ('choice', 'ece_choice', 'top'),
    ('noul', 'ece_noul', 'yes'),
    ('score', 'ece_score', 'top'),
    ('pooled', 'pooled', 'top'),
    ('all', 'index', 'top')
) as kinds (kind, subset, basis)
