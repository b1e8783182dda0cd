-- bins: one row per run, stratum, number of bins, basis and bin that has rows.
-- basis top states the top label's probability, true when it is right; basis yes (noul)
-- states P(yes), true when gold is yes.
-- Source: METRICS.md (ECE), SCORING.md §3.
with stated as (
    select
        scored.run_id,
        strata.benchmark_id,
        strata.stratum,
        bases.basis,
        case
            when bases.basis = 'yes' then scored.yes_probability
            else scored.confidence
        end as probability,
        case
            when bases.basis = 'yes' then scored.gold_index = 1
            else scored.is_right
        end as is_true
    from scored
    inner join strata
        on scored.benchmark_id = strata.benchmark_id
        and scored.item_id = strata.item_id
    cross join (values ('top'), ('yes')) as bases (basis)
),

bin_counts as (
    select distinct bins
    from methods
)

select
    stated.run_id,
    stated.benchmark_id,
    stated.stratum,
    bin_counts.bins,
    stated.basis,
    confidence_bin(stated.probability, bin_counts.bins) as bin,
    count(*) as n,
    count(*) filter (where stated.is_true) as n_true,
    exact_sum(stated.probability) as stated_units
from stated
cross join bin_counts
where stated.probability is not null
group by
    stated.run_id,
    stated.benchmark_id,
    stated.stratum,
    bin_counts.bins,
    stated.basis,
    confidence_bin(stated.probability, bin_counts.bins)
