-- bins: one row per run, stratum, rule, basis and bin that has rows.
-- basis top states the top label's probability, true when it is right; basis yes (noul)
-- states P(yes), true when gold is yes.
-- Source: METRICS.md (ECE), SCORING.md §3.
with stated as (
    select
        run_id,
        benchmark_id,
        stratum,
        rule,
        basis,
        case basis when 'top' then top_bin else yes_bin end as bin,
        n_stated,
        case basis when 'top' then n_right else n_yes end as n_true,
        case basis when 'top' then confidence_units else yes_units end as stated_units
    from binned_tallies
    cross join (values ('top'), ('yes')) as bases (basis)
)

select
    run_id,
    benchmark_id,
    stratum,
    rule,
    basis,
    bin,
    cast(sum(n_stated) as bigint) as n,
    cast(sum(n_true) as bigint) as n_true,
    sum(stated_units) as stated_units
from stated
where bin is not null
group by run_id, benchmark_id, stratum, rule, basis, bin
