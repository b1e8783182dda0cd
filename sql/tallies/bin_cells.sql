-- bin_cells: one row per run, report row, rule, kind of ECE and bin that has
-- rows: its bins added up.
-- A stratum stands in the places (report row, subset) of the item it is named after.
-- Source: METRICS.md (ECE), SCORING.md §3.
select
    bins.run_id,
    scopes.report_row,
    bins.rule,
    ece_kinds.kind,
    bins.bin,
    cast(sum(bins.n) as bigint) as n,
    cast(sum(bins.n_true) as bigint) as n_true,
    sum(bins.stated_units) as stated_units
from bins
inner join scopes
    on bins.benchmark_id = scopes.benchmark_id
    and bins.stratum = scopes.item_id
inner join ece_kinds
    on scopes.subset = ece_kinds.subset
    and bins.basis = ece_kinds.basis
group by
    bins.run_id,
    scopes.report_row,
    bins.rule,
    ece_kinds.kind,
    bins.bin
