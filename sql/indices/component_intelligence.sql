-- component_intelligence: one row per run, report row, method and kind.
-- At most 100, may be negative. Choice: 100 x chance-corrected accuracy. Noul: 100 x
-- threshold accuracy, chance-corrected where the method says so. Score: 100 x (1 - mean
-- error of the expected rating / mean error of a uniform guess). Taken per weighted
-- tier, then averaged with the tier weights renormalised over the tiers present.
-- Source: METRICS.md (I), SCORING.md §4.
with tiers as (
    select
        tallies.run_id,
        scopes.report_row,
        tallies.type as kind,
        tallies.weighted_tier,
        tallies.rule,
        cast(sum(tallies.n_items) as bigint) as n_items,
        cast(sum(tallies.n_answers) as bigint) as n_answers,
        cast(sum(tallies.n_right) as bigint) as n_right,
        cast(sum(tallies.n_clear) as bigint) as n_clear,
        mean_of_units(sum(tallies.chance_units), sum(tallies.n_items)) as chance,
        mean_of_units(sum(tallies.scaled_rating_error_units), sum(tallies.n_answers))
            as rating_error,
        mean_of_units(sum(tallies.chance_rating_error_units), sum(tallies.n_items))
            as chance_rating_error
    from tallies
    inner join scopes
        on tallies.benchmark_id = scopes.benchmark_id
        and tallies.stratum = scopes.item_id
        and scopes.subset = 'index'
    group by
        tallies.run_id,
        scopes.report_row,
        tallies.type,
        tallies.weighted_tier,
        tallies.rule
),

rated as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        tiers.kind,
        tiers.weighted_tier,
        tiers.n_items,
        tiers.n_answers,
        tiers.n_right,
        tiers.n_clear,
        tiers.chance,
        tiers.rating_error,
        tiers.chance_rating_error,
        coalesce(tier_weights.weight, 1e0) as weight,
        case
            when tiers.kind = 'choice'
                then
                    100e0
                    * chance_corrected(tiers.n_right / tiers.n_answers, tiers.chance)
            when tiers.kind = 'noul' and frames.noul_chance_corrected
                then 100e0 * chance_corrected(tiers.n_clear / tiers.n_answers, 0.5e0)
            when tiers.kind = 'noul'
                then 100e0 * (tiers.n_clear / tiers.n_answers)
            when tiers.kind = 'score'
                then 100e0 * (
                    1e0 - tiers.rating_error / nullif(tiers.chance_rating_error, 0e0)
                )
        end as component
    from frames
    inner join tiers
        on frames.run_id = tiers.run_id
        and frames.report_row = tiers.report_row
        and frames.rule = tiers.rule
    left join tier_weights
        on frames.method_id = tier_weights.method_id
        and tiers.weighted_tier = tier_weights.tier
),

averaged as (
    select
        run_id,
        report_row,
        method_id,
        kind,
        cast(sum(n_items) as bigint) as n,
        -- As points lost, so that rounding never carries a perfect run beyond 100.
        100e0
        - mean_of_units(exact_sum(weight * (100e0 - component)), 1)
        / mean_of_units(exact_sum(weight), 1) as component
    from rated
    group by run_id, report_row, method_id, kind
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        case
            when not array_contains(frames.unsupported_types, kinds.kind)
                then averaged.component
        end as value,
        case
            when array_contains(frames.unsupported_types, kinds.kind) then 0
            else coalesce(averaged.n, 0)
        end as n,
        coalesce(averaged.n, 0) as n_scope,
        case when array_contains(frames.unsupported_types, kinds.kind) then 0 end
            as n_supported
    from frames
    cross join (values ('choice'), ('noul'), ('score')) as kinds (kind)
    left join averaged
        on frames.run_id = averaged.run_id
        and frames.report_row = averaged.report_row
        and frames.method_id = averaged.method_id
        and kinds.kind = averaged.kind
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    'intelligence' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
