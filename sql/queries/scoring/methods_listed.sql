-- methods_listed: one row per method with every parameter.
with weights as (
    select
        method_id,
        map_from_entries(
            list(
                { 'k': tier, 'v': weight }
                order by list_position(['easy', 'standard', 'judge', 'hard'], tier)
            )
        ) as tier_weights
    from tier_weights
    group by method_id
)

select
    methods.method_id,
    methods.document,
    methods.noul_low,
    methods.noul_high,
    methods.noul_chance_corrected,
    methods.choice_weight,
    methods.noul_weight,
    methods.score_weight,
    weights.tier_weights,
    methods.bins,
    methods.probability_floor,
    methods.tie_rule,
    methods.failed_rating,
    methods.noul_half,
    methods.failed_distribution
from method_parameters as methods
left join weights on methods.method_id = weights.method_id
order by methods.method_id
