-- tallies: one row per run, stratum and rule: its binned tallies added up, over all
-- items of the stratum: one without an ok row counts in n_items, and errs the most.
-- right_chance_units, scaled_rating_square_units and scaled_rating_product_units are
-- what the variance of I needs besides (queries/scoring/moments.sql). Squares and
-- products are of items: of an item with several answers they are of its mean answer,
-- never of each.
-- Source: SCORING.md §3, §4, §7; INFERENCE.md §1.3, §3.
with summed as (
    select
        run_id,
        stratum,
        rule,
        sum(n_ok) as n_ok,
        sum(n_right) as n_right,
        sum(n_stated) as n_stated,
        sum(n_compared) as n_compared,
        sum(n_rated) as n_rated,
        sum(n_clear) as n_clear,
        sum(right_chance_units) as right_chance_units,
        sum(spared_error_units) as spared_error_units,
        sum(spared_square_units) as spared_square_units,
        sum(spared_product_units) as spared_product_units,
        sum(columns('^sum_'))
    from binned_tallies
    group by run_id, stratum, rule
)

select
    runs.run_id,
    runs.benchmark_id,
    stratum_items.gold_revision,
    stratum_items.stratum,
    stratum_items.type,
    stratum_items.tier,
    stratum_items.modality,
    stratum_items.weighted_tier,
    rules.rule,
    stratum_items.n_items,
    cast(coalesce(summed.n_ok, 0) as bigint) as n_ok,
    cast(coalesce(summed.n_right, 0) as bigint) as n_right,
    cast(coalesce(summed.n_stated, 0) as bigint) as n_stated,
    cast(coalesce(summed.n_compared, 0) as bigint) as n_compared,
    cast(coalesce(summed.n_rated, 0) as bigint) as n_rated,
    cast(coalesce(summed.n_clear, 0) as bigint) as n_clear,
    stratum_items.chance_units,
    stratum_items.largest_error_units - coalesce(summed.spared_error_units, 0)
        as scaled_rating_error_units,
    stratum_items.chance_rating_error_units,
    stratum_items.chance_square_units,
    stratum_items.chance_rating_square_units,
    coalesce(summed.right_chance_units, 0) as right_chance_units,
    stratum_items.largest_square_units - coalesce(summed.spared_square_units, 0)
        as scaled_rating_square_units,
    stratum_items.largest_product_units - coalesce(summed.spared_product_units, 0)
        as scaled_rating_product_units,
    columns('^sum_')
from runs
inner join stratum_items on runs.benchmark_id = stratum_items.benchmark_id
cross join rules
left join summed
    on runs.run_id = summed.run_id
    and stratum_items.stratum = summed.stratum
    and rules.rule = summed.rule
