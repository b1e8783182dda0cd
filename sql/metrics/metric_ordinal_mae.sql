-- metric_ordinal_mae: one row per run, report row, method.
-- In [0, K - 1] levels, lower is better. Mean distance of the expected rating from the
-- gold level.
-- Source: SCORING.md §3 (ordinal MAE).
with valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        mean_of_units(cells.rating_error_units, cells.n_rated) as value,
        coalesce(cells.n_rated, 0) as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported
    from frames
    cross join (values ('score')) as kinds (kind)
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and frames.rule = cells.rule
        and kinds.kind = cells.kind
        and cells.subset = 'rps'
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    'ordinal_mae' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
