-- binned_tallies: one row per run, stratum, rule and pair of bins that has ok rows: how
-- many, and exact sums in units of 2^-53, of each term too. Rows that are not ok, but
-- uniform in proper scores by their rule, are in no bin.
-- spared_error_units is by how much the rating errors stay below the largest possible
-- ones, spared_square_units the same of their squares, spared_product_units of their
-- products with the item's chance error. This is the one pass over single rows: what a
-- row that is not ok, or missing, counts is told by its item alone (stratum_items).
-- Source: METRICS.md, SCORING.md §2 (label-only), §3, §4; INFERENCE.md §1.3.
select
    terms.run_id,
    terms.benchmark_id,
    strata.stratum,
    terms.rule,
    terms.top_bin,
    terms.yes_bin,
    count(*) filter (where terms.is_ok) as n_ok,
    count(*) filter (where terms.is_right) as n_right,
    count(terms.confidence) as n_stated,
    count(terms.term_squared_error) as n_proper,
    count(terms.total_variation) as n_compared,
    count(terms.rating_error) as n_rated,
    count(*) filter (where terms.type = 'noul' and terms.gold_index = 1) as n_yes,
    count(*) filter (where terms.is_clear) as n_clear,
    exact_sum(terms.confidence) as confidence_units,
    exact_sum(terms.yes_probability) as yes_units,
    exact_sum(case when terms.is_right then strata.chance end) as right_chance_units,
    cast(
        sum(units(strata.largest_error) - units(terms.scaled_rating_error))
        as decimal(38, 0)
    ) as spared_error_units,
    cast(
        sum(
            units(strata.largest_error * strata.largest_error)
            - units(terms.scaled_rating_error * terms.scaled_rating_error)
        )
        as decimal(38, 0)
    ) as spared_square_units,
    cast(
        sum(
            units(strata.largest_error * strata.chance_rating_error)
            - units(terms.scaled_rating_error * strata.chance_rating_error)
        )
        as decimal(38, 0)
    ) as spared_product_units,
    exact_sum(columns('^term_(.*)')) as "sum_\1"
from terms
inner join strata
    on terms.benchmark_id = strata.benchmark_id
    and terms.item_id = strata.item_id
where terms.is_ok or terms.is_uniform
group by
    terms.run_id,
    terms.benchmark_id,
    strata.stratum,
    terms.rule,
    terms.top_bin,
    terms.yes_bin
