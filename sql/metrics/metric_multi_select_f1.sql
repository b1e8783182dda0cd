-- metric_multi_select_f1: one row per run, report row and method.
-- In [0, 1], higher is better. Mean F1 of the picked set against the gold set; a row
-- that is not ok counts 0.
-- Source: METRICS.md, SCORING.md §3 (multi-select).
with valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        case
            when cells.n_supported > 0 then mean_of_units(cells.f1_units, cells.n_items)
        end as value,
        case when cells.n_supported > 0 then cells.n_items else 0 end as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, 'multi_select')
            as n_supported
    from frames
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and frames.rule = cells.rule
        and cells.subset = 'multi_select'
        and cells.kind = 'all'
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    'multi_select' as kind,
    'multi_select_f1' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
