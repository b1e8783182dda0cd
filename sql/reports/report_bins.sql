-- report_bins: one row per run, report row, method, kind and bin; always every bin, n
-- may be 0.
-- lower and upper are the bin's edges (left-closed; the last holds 1.0); mean_stated
-- and share_true are null in an empty bin. The ECE is the sum of n / total n x
-- abs(mean_stated - share_true).
-- Source: METRICS.md (ECE), SCORING.md §3.
with kinds as (
    select *
    from (
        values
        ('choice', 'ece_choice', 'top'),
        ('noul', 'ece_noul', 'yes'),
        ('score', 'ece_score', 'top'),
        ('pooled', 'pooled', 'top'),
        ('all', 'index', 'top')
    ) as kinds (kind, subset, basis)
),

counted as (
    select
        bins.run_id,
        stratum_places.report_row,
        stratum_places.subset,
        bins.bins,
        bins.basis,
        bins.bin,
        cast(sum(bins.n) as bigint) as n,
        cast(sum(bins.n_true) as bigint) as n_true,
        sum(bins.stated_units) as stated_units
    from bins
    inner join stratum_places
        on bins.benchmark_id = stratum_places.benchmark_id
        and bins.stratum = stratum_places.stratum
    group by
        bins.run_id,
        stratum_places.report_row,
        stratum_places.subset,
        bins.bins,
        bins.basis,
        bins.bin
),

places as (select cast(range as integer) as bin from range(0, 100))

select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    kinds.kind,
    places.bin,
    places.bin / cast(frames.bins as double) as lower,
    (places.bin + 1) / cast(frames.bins as double) as upper,
    coalesce(counted.n, 0) as n,
    mean_of_units(counted.stated_units, counted.n) as mean_stated,
    counted.n_true / nullif(counted.n, 0) as share_true
from frames
cross join kinds
cross join places
left join counted
    on frames.run_id = counted.run_id
    and frames.report_row = counted.report_row
    and frames.bins = counted.bins
    and kinds.subset = counted.subset
    and kinds.basis = counted.basis
    and places.bin = counted.bin
where places.bin < frames.bins
