-- history_numbers: the number $metric of kind $kind of each run in each report row of
-- the selection, and how many items the row has.
select
    numbers.run_id,
    numbers.report_row,
    numbers.gold_revision,
    numbers.value,
    numbers.n,
    numbers.reason,
    sizes.n as n_items
from report_metrics as numbers
inner join metric_accuracy as sizes
    on numbers.run_id = sizes.run_id
    and numbers.report_row = sizes.report_row
    and numbers.method_id = sizes.method_id
    and sizes.kind = 'all'
where
    numbers.metric = $metric
    and numbers.kind = $kind
