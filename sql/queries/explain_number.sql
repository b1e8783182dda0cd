-- explain_number: the number $metric of kind $kind in every report row, of the one run
-- and method there are.
select
    report_row,
    value,
    n,
    n_scope,
    reason
from report_metrics
where
    metric = $metric
    and kind = $kind
