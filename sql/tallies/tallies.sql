-- tallies: one row per run, stratum and rule: its binned tallies added up, over all
-- items of the stratum: one without an ok row counts in n_items, and errs the most.
-- Source: SCORING.md §3, §4, §7.
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
        sum(spared_error_units) as spared_error_units,
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
    columns('^sum_')
from runs
inner join stratum_items on runs.benchmark_id = stratum_items.benchmark_id
cross join rules
left join summed
    on runs.run_id = summed.run_id
    and stratum_items.stratum = summed.stratum
    and rules.rule = summed.rule
