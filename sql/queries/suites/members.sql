-- members: one row per member of the selected suite, in its order.
select
    member,
    benchmark_id,
    area,
    area_weight,
    report_row,
    scope_row,
    metric,
    kind,
    weight,
    transform,
    base_value as base,
    base_rule,
    best,
    clip,
    digits,
    cluster,
    excluded,
    exclude_reason
from suite_members
order by member
