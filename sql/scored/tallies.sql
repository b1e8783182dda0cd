-- tallies: one row per run, stratum and rule: its binned tallies added up.
-- Source: SCORING.md §3, §4, §7.
select
    run_id,
    benchmark_id,
    gold_revision,
    stratum,
    type,
    weighted_tier,
    rule,
    cast(sum(n_items) as bigint) as n_items,
    cast(sum(n_ok) as bigint) as n_ok,
    cast(sum(n_right) as bigint) as n_right,
    cast(sum(n_stated) as bigint) as n_stated,
    cast(sum(n_compared) as bigint) as n_compared,
    cast(sum(n_rated) as bigint) as n_rated,
    cast(sum(n_clear) as bigint) as n_clear,
    sum(chance_units) as chance_units,
    sum(squared_error_units) as squared_error_units,
    sum(total_variation_units) as total_variation_units,
    sum(ranked_probability_units) as ranked_probability_units,
    sum(rating_error_units) as rating_error_units,
    sum(scaled_rating_error_units) as scaled_rating_error_units,
    sum(chance_rating_error_units) as chance_rating_error_units,
    sum(f1_units) as f1_units,
    sum(likelihood_units) as likelihood_units
from binned_tallies
group by run_id, benchmark_id, gold_revision, stratum, type, weighted_tier, rule
