-- rules: one row per distinct set of the method parameters that act on single rows;
-- methods that share a rule share its tallies.
-- Source: SCORING.md §5.
with parameters as (
    select distinct
        noul_low,
        noul_high,
        probability_floor,
        bins
    from methods
)

select
    row_number() over (order by noul_low, noul_high, probability_floor, bins) as rule,
    noul_low,
    noul_high,
    probability_floor,
    bins
from parameters
