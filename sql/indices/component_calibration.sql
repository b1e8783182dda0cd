-- component_calibration: one row per run, report row, method and kind.
-- In [0, 100], higher is better. With part(ECE) = max(0, 100 (1 - 2 ECE)): choice is
-- the mean of part(ECE) and 100 (1 - TVD), noul is part(ECE), score is the mean of
-- part(ECE) and 100 (1 - RPS). Null with the reason of the first null part. n and
-- n_scope are those of the ECE.
-- Source: METRICS.md (C), SCORING.md §4.
with partners as (
    select
        run_id,
        report_row,
        method_id,
        'choice' as kind,
        value,
        reason
    from metric_tvd
    union all
    select
        run_id,
        report_row,
        method_id,
        'score' as kind,
        value,
        reason
    from metric_rps
)

select
    metric_ece.run_id,
    metric_ece.gold_revision,
    metric_ece.report_row,
    metric_ece.method_id,
    metric_ece.kind,
    'calibration' as metric,
    case
        when metric_ece.kind = 'noul' then calibration_part(metric_ece.value)
        else
            (calibration_part(metric_ece.value) + 100e0 * (1e0 - partners.value)) / 2e0
    end as value,
    metric_ece.n,
    metric_ece.n_scope,
    coalesce(metric_ece.reason, partners.reason) as reason
from metric_ece
left join partners
    on metric_ece.run_id = partners.run_id
    and metric_ece.report_row = partners.report_row
    and metric_ece.method_id = partners.method_id
    and metric_ece.kind = partners.kind
where metric_ece.kind in ('choice', 'noul', 'score')
