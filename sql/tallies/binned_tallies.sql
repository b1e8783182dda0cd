-- binned_tallies: one row per run, stratum, rule and pair of bins that has ok rows: how
-- many, and exact sums in units of 2^-53.
-- top_bin is the bin of the top label's probability, yes_bin of P(yes); null where a
-- row has none. n_clear counts noul rows on gold's side of the thresholds; a row with a
-- label only counts without abstention. spared_error_units is by how much the rating
-- errors stay below the largest possible ones. This is the one pass over single rows:
-- no metric reads them again, and what a row that is not ok, or missing, counts is told
-- by its item alone (stratum_items).
-- Source: METRICS.md, SCORING.md §2 (label-only), §3, §4, §7.
select
    scored.run_id,
    scored.benchmark_id,
    strata.stratum,
    rules.rule,
    confidence_bin(scored.confidence, rules.bins) as top_bin,
    confidence_bin(scored.yes_probability, rules.bins) as yes_bin,
    count(*) as n_ok,
    count(*) filter (where scored.is_right) as n_right,
    count(scored.confidence) as n_stated,
    count(scored.total_variation) as n_compared,
    count(scored.rating_error) as n_rated,
    count(*) filter (where scored.type = 'noul' and scored.gold_index = 1) as n_yes,
    count(*) filter (
        where scored.type = 'noul'
        and case
            when scored.yes_probability is null then scored.is_right
            else threshold_right(
                scored.yes_probability,
                scored.gold_index = 1,
                rules.noul_low,
                rules.noul_high
            )
        end
    ) as n_clear,
    exact_sum(scored.confidence) as confidence_units,
    exact_sum(scored.yes_probability) as yes_units,
    exact_sum(scored.squared_error) as squared_error_units,
    exact_sum(scored.total_variation) as total_variation_units,
    exact_sum(scored.ranked_probability_score) as ranked_probability_units,
    exact_sum(scored.rating_error) as rating_error_units,
    cast(
        sum(strata.largest_error_units - units(scored.scaled_rating_error))
        as decimal(38, 0)
    ) as spared_error_units,
    exact_sum(scored.f1) as f1_units,
    exact_sum(
        negative_log_likelihood(scored.gold_probability, rules.probability_floor)
    ) as likelihood_units
from scored
inner join strata
    on scored.benchmark_id = strata.benchmark_id
    and scored.item_id = strata.item_id
cross join rules
where scored.status = 'ok'
group by
    scored.run_id,
    scored.benchmark_id,
    strata.stratum,
    rules.rule,
    confidence_bin(scored.confidence, rules.bins),
    confidence_bin(scored.yes_probability, rules.bins)
