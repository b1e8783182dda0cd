-- stratum_items: one row per stratum: what its items alone decide, the same for every
-- run: how many they are, what a uniform guess would get, the largest possible error.
-- Source: SCORING.md §4, §6.
select
    strata.benchmark_id,
    golden_items.gold_revision,
    strata.stratum,
    strata.type,
    strata.weighted_tier,
    count(*) as n_items,
    exact_sum(1e0 / golden_items.option_count) as chance_units,
    exact_sum(
        case
            when strata.type = 'score'
                then
                    chance_rating_error(
                        golden_items.option_count, golden_items.gold_index
                    )
        end
    ) as chance_rating_error_units,
    cast(sum(strata.largest_error_units) as decimal(38, 0)) as largest_error_units
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id
group by
    strata.benchmark_id,
    golden_items.gold_revision,
    strata.stratum,
    strata.type,
    strata.weighted_tier
