-- explain_bins: one row per bin of the ECE of kind $kind in report row $report_row, and
-- what it adds to the ECE.
select
    bin,
    lower,
    upper,
    n,
    mean_stated,
    share_true,
    n / nullif(sum(n) over (), 0) * abs(mean_stated - share_true) as adds
from report_bins
where
    kind = $kind
    and report_row = $report_row
order by bin
