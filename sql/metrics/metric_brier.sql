-- metric_brier: one row per run, report row, method and kind.
-- In [0, 2], lower is better. Mean squared distance from the one-hot gold, over
-- single-answer rows with a distribution.
-- Source: SCORING.md §3 (Brier).
with valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        mean_of_units(cells.squared_error_units, cells.n_stated) as value,
        coalesce(cells.n_stated, 0) as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported
    from frames
    cross join (values ('all'), ('choice'), ('noul'), ('score')) as kinds (kind)
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and frames.rule = cells.rule
        and kinds.kind = cells.kind
        and cells.subset = 'index'
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    'brier' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
