-- report_bins: one row per run, report row, method, kind and bin; always every bin, n
-- may be 0.
-- lower and upper are the bin's edges (left-closed; the last holds 1.0); mean_stated
-- and share_true are null in an empty bin. The ECE is the sum of n / total n x
-- abs(mean_stated - share_true).
-- Source: METRICS.md (ECE), SCORING.md §3.
select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    ece_kinds.kind,
    cast(places.bin as integer) as bin,
    places.bin / cast(frames.bins as double) as lower,
    (places.bin + 1) / cast(frames.bins as double) as upper,
    coalesce(bin_cells.n, 0) as n,
    mean_of_units(bin_cells.stated_units, bin_cells.n) as mean_stated,
    bin_cells.n_true / nullif(bin_cells.n, 0) as share_true
from frames
cross join ece_kinds
cross join range(0, 100) as places (bin)
left join bin_cells
    on frames.run_id = bin_cells.run_id
    and frames.report_row = bin_cells.report_row
    and frames.rule = bin_cells.rule
    and ece_kinds.kind = bin_cells.kind
    and places.bin = bin_cells.bin
where places.bin < frames.bins
