-- rules: one row per distinct set of the method parameters that act on single rows.
-- Source: SCORING.md §5.
select distinct
    rule,
    noul_low,
    noul_high,
    probability_floor,
    bins,
    tie_rule,
    noul_half,
    failed_distribution
from method_rules
