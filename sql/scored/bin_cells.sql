-- bin_cells: one row per run, report row, rule, kind of ECE and bin that has
-- rows: its bins added up.
-- Source: METRICS.md (ECE), SCORING.md §3.
select
    bins.run_id,
    stratum_places.report_row,
    bins.rule,
    ece_kinds.kind,
    bins.bin,
    cast(sum(bins.n) as bigint) as n,
    cast(sum(bins.n_true) as bigint) as n_true,
    sum(bins.stated_units) as stated_units
from bins
inner join stratum_places
    on bins.benchmark_id = stratum_places.benchmark_id
    and bins.stratum = stratum_places.stratum
inner join ece_kinds
    on stratum_places.subset = ece_kinds.subset
    and bins.basis = ece_kinds.basis
group by
    bins.run_id,
    stratum_places.report_row,
    bins.rule,
    ece_kinds.kind,
    bins.bin
