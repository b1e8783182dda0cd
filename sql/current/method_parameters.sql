-- method_parameters: one row per method with every parameter. A method stored before a
-- parameter was there has what was done then: a noul at exactly 1/2 says no, and what
-- is not ok is left out of proper scores.
-- Source: SCORING.md §5.
select
    method_id,
    document,
    noul_low,
    noul_high,
    noul_chance_corrected,
    choice_weight,
    noul_weight,
    score_weight,
    bins,
    probability_floor,
    tie_rule,
    failed_rating,
    coalesce(noul_half, 'no') as noul_half,
    coalesce(failed_distribution, 'left_out') as failed_distribution,
    seq
from methods
