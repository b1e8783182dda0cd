-- bins: one row per run, stratum, rule, basis and bin that has rows.
-- basis top states the top label's probability, true when it is right; basis yes (noul)
-- states P(yes), true when gold is yes.
-- Source: METRICS.md (ECE), SCORING.md §3.
select
    run_id,
    benchmark_id,
    stratum,
    rule,
    'top' as basis,
    top_bin as bin,
    cast(sum(n_stated) as bigint) as n,
    cast(sum(n_right) as bigint) as n_true,
    sum(confidence_units) as stated_units
from binned_tallies
where top_bin is not null
group by run_id, benchmark_id, stratum, rule, top_bin
union all
select
    run_id,
    benchmark_id,
    stratum,
    rule,
    'yes' as basis,
    yes_bin as bin,
    cast(sum(n_stated) as bigint) as n,
    cast(sum(n_yes) as bigint) as n_true,
    sum(yes_units) as stated_units
from binned_tallies
where yes_bin is not null
group by run_id, benchmark_id, stratum, rule, yes_bin
