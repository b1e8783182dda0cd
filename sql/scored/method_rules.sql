-- method_rules: one row per method with every parameter, and its rule: the number of
-- the parameters that act on single rows; methods that share these share tallies.
-- Source: SCORING.md §5.
select
    *,
    dense_rank() over (
        order by
            failed_distribution asc,
            tie_rule desc,
            noul_half asc,
            noul_low asc,
            noul_high asc,
            probability_floor asc,
            bins asc
    ) as rule
from method_parameters
