-- reported_metrics_insert: stores the numbers of a result, read from incoming_numbers.
insert into reported_metrics by name
select
    cast($result_sha256 as varchar) as result_sha256,
    view,
    metric,
    value,
    n,
    reason,
    definition,
    is_partial
from incoming_numbers
