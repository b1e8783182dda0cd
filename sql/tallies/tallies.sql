-- tallies: one row per run, stratum and rule: its binned tallies added up, over all
-- answers asked of the stratum's items: one that is not ok counts in n_answers, and
-- errs the most. n_items_... are the items of which an answer counts in n_...
-- right_chance_units, scaled_rating_square_units and scaled_rating_product_units are
-- what the variance of I needs besides (queries/scoring/moments.sql). They are of
-- items, so that a run that asked several times has none.
-- Source: SCORING.md §3, §4, §7; INFERENCE.md §1.3, §3.
with summed as (
    select
        run_id,
        stratum,
        rule,
        sum(n_ok) as n_ok,
        sum(n_right) as n_right,
        sum(n_stated) as n_stated,
        sum(n_proper) as n_proper,
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
    stratum_items.n_items * runs.n_repeats as n_answers,
    cast(coalesce(summed.n_ok, 0) as bigint) as n_ok,
    cast(coalesce(summed.n_right, 0) as bigint) as n_right,
    cast(coalesce(summed.n_stated, 0) as bigint) as n_stated,
    cast(coalesce(summed.n_proper, 0) as bigint) as n_proper,
    cast(coalesce(summed.n_compared, 0) as bigint) as n_compared,
    cast(coalesce(summed.n_rated, 0) as bigint) as n_rated,
    cast(coalesce(summed.n_clear, 0) as bigint) as n_clear,
    cast(coalesce(repeat_tallies.n_items_stated, summed.n_stated, 0) as bigint)
        as n_items_stated,
    cast(coalesce(repeat_tallies.n_items_proper, summed.n_proper, 0) as bigint)
        as n_items_proper,
    cast(coalesce(repeat_tallies.n_items_compared, summed.n_compared, 0) as bigint)
        as n_items_compared,
    cast(coalesce(repeat_tallies.n_items_rated, summed.n_rated, 0) as bigint)
        as n_items_rated,
    repeat_tallies.n_twice_ok,
    repeat_tallies.n_flipped,
    repeat_tallies.n_always_right,
    repeat_tallies.n_once_right,
    repeat_tallies.n_right_squares,
    stratum_items.chance_units,
    stratum_items.largest_error_units * runs.n_repeats
    - coalesce(summed.spared_error_units, 0) as scaled_rating_error_units,
    stratum_items.chance_rating_error_units,
    stratum_items.chance_square_units,
    stratum_items.chance_rating_square_units,
    case when runs.n_repeats = 1 then coalesce(summed.right_chance_units, 0) end
        as right_chance_units,
    case
        when runs.n_repeats = 1
            then
                stratum_items.largest_square_units
                - coalesce(summed.spared_square_units, 0)
    end as scaled_rating_square_units,
    case
        when runs.n_repeats = 1
            then
                stratum_items.largest_product_units
                - coalesce(summed.spared_product_units, 0)
    end as scaled_rating_product_units,
    columns('^sum_')
from runs
inner join stratum_items on runs.benchmark_id = stratum_items.benchmark_id
cross join rules
left join summed
    on runs.run_id = summed.run_id
    and stratum_items.stratum = summed.stratum
    and rules.rule = summed.rule
left join repeat_tallies
    on runs.run_id = repeat_tallies.run_id
    and stratum_items.stratum = repeat_tallies.stratum
    and rules.rule = repeat_tallies.rule
