-- metric_soft_accuracy: one row per run, report row, method and kind.
-- In [0, 1], higher is better. Mean of what the target gives to the top label, over the
-- answers to the row's items; those that are not ok, and missing ones, get 0. Without a
-- reference it is accuracy.
-- Source: SUITES.md §3.
select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    kinds.kind,
    'soft_accuracy' as metric,
    mean_of_units(coalesce(cells.sum_target_mass, 0), cells.n_answers) as value,
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
