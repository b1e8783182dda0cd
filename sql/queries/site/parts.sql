-- parts: one row per run, report row, method, type and part of a component of C:
-- the metric, and the points it gives; a component is the mean of its parts.
with parts as (
    select
        run_id,
        report_row,
        method_id,
        kind,
        'ece' as part,
        value,
        calibration_part(value) as points,
        n,
        n_scope
    from metric_ece
    where kind in ('choice', 'noul', 'score')
    union all
    select
        run_id,
        report_row,
        method_id,
        'choice' as kind,
        'tvd' as part,
        value,
        100e0 * (1e0 - value) as points,
        n,
        n_scope
    from metric_tvd
    union all
    select
        run_id,
        report_row,
        method_id,
        'score' as kind,
        'rps' as part,
        value,
        100e0 * (1e0 - value) as points,
        n,
        n_scope
    from metric_rps
)

select parts.*
from parts
inner join components
    on parts.run_id = components.run_id
    and parts.report_row = components.report_row
    and parts.method_id = components.method_id
    and parts.kind = components.kind
    and components.metric = 'calibration'
    and components.n_scope > 0
order by
    parts.run_id, parts.report_row, parts.method_id, parts.kind, parts.part
