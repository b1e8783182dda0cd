-- term_methods: one row per method of the selection, with its tier weights; methods
-- that tally rows alike stand together.
with weights as (
    select
        method_id,
        map_from_entries(list({ 'k': tier, 'v': weight } order by tier)) as tier_weights
    from tier_weights
    group by method_id
)

select
    methods.method_id,
    methods.rule,
    methods.bins,
    methods.probability_floor,
    methods.noul_chance_corrected,
    methods.choice_weight,
    methods.noul_weight,
    methods.score_weight,
    weights.tier_weights
from method_rules as methods
left join weights on methods.method_id = weights.method_id
order by methods.rule, methods.method_id
