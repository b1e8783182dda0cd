-- metric_tvd: one row per run, report row and method.
-- In [0, 1], lower is better. Mean total variation distance from the reference
-- distribution, over the items that have one.
-- Source: METRICS.md (TVD), SCORING.md §3, §6.
with asked as (
    select
        cells.run_id,
        cells.report_row,
        cells.rule,
        cast(sum(cells.n_items) as bigint) as n_asked,
        cast(sum(cells.n_supported) as bigint) as n_supported
    from cells
    inner join runs on cells.run_id = runs.run_id
    inner join benchmarks on runs.benchmark_id = benchmarks.benchmark_id
    where
        cells.subset = 'index'
        and (
            cells.kind = 'choice'
            or (cells.kind = 'noul' and benchmarks.scoring in ('cmdb-1500', 'generic'))
        )
    group by cells.run_id, cells.report_row, cells.rule
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        mean_of_units(cells.total_variation_units, cells.n_compared) as value,
        coalesce(cells.n_compared, 0) as n,
        coalesce(cells.n_items, 0) as n_scope,
        asked.n_asked,
        coalesce(cells.n_supported, asked.n_supported) as n_supported
    from frames
    left join asked
        on frames.run_id = asked.run_id
        and frames.report_row = asked.report_row
        and frames.rule = asked.rule
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and frames.rule = cells.rule
        and cells.subset = 'tvd'
        and cells.kind = 'all'
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    'all' as kind,
    'tvd' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_asked, n_supported, n_scope) as reason
from valued
