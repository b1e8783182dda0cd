-- bins: one row per run, report row, method, kind and bin of the selection, and
-- what the bin adds to its ECE; only where the ECE has rows.
with weighed as (
    select
        *,
        sum(n) over (
            partition by run_id, report_row, method_id, kind
        ) as n_total
    from report_bins
)

select
    run_id,
    report_row,
    method_id,
    kind,
    bin,
    lower,
    upper,
    n,
    mean_stated,
    share_true,
    n / n_total * abs(mean_stated - share_true) as adds
from weighed
where n_total > 0
order by run_id, report_row, method_id, kind, bin
