-- explain_parts: one row per part of a component of C in report row $report_row: the
-- metric, and the points it gives; a component is the mean of its parts.
with parts as (
    select
        kind,
        'ece' as part,
        value,
        calibration_part(value) as points,
        n,
        n_scope,
        reason
    from metric_ece
    where report_row = $report_row
    union all
    select
        'choice' as kind,
        'tvd' as part,
        value,
        100e0 * (1e0 - value) as points,
        n,
        n_scope,
        reason
    from metric_tvd
    where report_row = $report_row
    union all
    select
        'score' as kind,
        'rps' as part,
        value,
        100e0 * (1e0 - value) as points,
        n,
        n_scope,
        reason
    from metric_rps
    where report_row = $report_row
)

select
    kind,
    part,
    value,
    points,
    n,
    n_scope,
    reason
from parts
where
    kind in ('choice', 'noul', 'score')
    and $kind in ('all', kind)
order by kind, part
