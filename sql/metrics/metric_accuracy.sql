-- metric_accuracy: one row per run, report row, method and kind.
-- In [0, 1], higher is better. Share of the answers to the row's items that are right;
-- those that are not ok, and missing ones, are wrong.
-- Source: METRICS.md, SCORING.md §3 (accuracy).
select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    kinds.kind,
    'accuracy' as metric,
    cells.n_right / nullif(cells.n_answers, 0) as value,
    coalesce(cells.n_items, 0) as n,
    coalesce(cells.n_items, 0) as n_scope,
    case when cells.n_items is null then 'no_rows' end as reason
from frames
cross join (
    values
    ('all'), ('choice'), ('noul'), ('score'), ('multi_select')
) as kinds (kind)
left join cells
    on frames.run_id = cells.run_id
    and frames.report_row = cells.report_row
    and frames.rule = cells.rule
    and kinds.kind = cells.kind
    and cells.subset = 'all'
