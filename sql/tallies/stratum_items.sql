-- stratum_items: one row per stratum: what its items alone decide, the same for every
-- run: how many they are, what a uniform guess would get, the largest possible error;
-- and of these the squares and products that variances need.
-- Source: SCORING.md §4, §6; INFERENCE.md §1.3.
select
    strata.benchmark_id,
    golden_items.gold_revision,
    strata.stratum,
    strata.type,
    strata.tier,
    strata.modality,
    strata.weighted_tier,
    count(*) as n_items,
    exact_sum(strata.chance) as chance_units,
    exact_sum(strata.chance * strata.chance) as chance_square_units,
    exact_sum(strata.chance_rating_error) as chance_rating_error_units,
    exact_sum(strata.chance_rating_error * strata.chance_rating_error)
        as chance_rating_square_units,
    exact_sum(strata.largest_error) as largest_error_units,
    exact_sum(strata.largest_error * strata.largest_error) as largest_square_units,
    exact_sum(strata.largest_error * strata.chance_rating_error)
        as largest_product_units
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id
group by
    strata.benchmark_id,
    golden_items.gold_revision,
    strata.stratum,
    strata.type,
    strata.tier,
    strata.modality,
    strata.weighted_tier
