-- tallies: one row per run and stratum: how many, and exact sums in units of 2^-53.
-- Every metric adds strata up; nothing below this view reads single rows.
-- Source: SCORING.md §3, §4, §7.
select
    scored.run_id,
    scored.benchmark_id,
    scored.gold_revision,
    strata.stratum,
    strata.type,
    strata.weighted_tier,
    count(*) as n_items,
    count(*) filter (where scored.status = 'ok') as n_ok,
    count(*) filter (where scored.is_right) as n_right,
    count(scored.confidence) as n_stated,
    count(scored.total_variation) as n_compared,
    count(scored.rating_error) as n_rated,
    exact_sum(1e0 / scored.option_count) as chance_units,
    exact_sum(scored.squared_error) as squared_error_units,
    exact_sum(scored.total_variation) as total_variation_units,
    exact_sum(scored.ranked_probability_score) as ranked_probability_units,
    exact_sum(scored.rating_error) as rating_error_units,
    exact_sum(scored.scaled_rating_error) as scaled_rating_error_units,
    exact_sum(
        case
            when scored.type = 'score'
                then chance_rating_error(scored.option_count, scored.gold_index)
        end
    ) as chance_rating_error_units,
    exact_sum(scored.f1) as f1_units
from scored
inner join strata
    on scored.benchmark_id = strata.benchmark_id
    and scored.item_id = strata.item_id
group by
    scored.run_id,
    scored.benchmark_id,
    scored.gold_revision,
    strata.stratum,
    strata.type,
    strata.weighted_tier
