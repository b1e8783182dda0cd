-- calibration_bins: one row per kind of ECE and bin in report row $report_row.
select
    kind,
    bin,
    lower,
    upper,
    n,
    mean_stated,
    share_true
from report_bins
where report_row = $report_row
order by kind, bin
