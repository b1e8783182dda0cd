-- metric_tvd: one row per run, report row and method.
-- In [0, 1], lower is better. Mean total variation distance from the reference
-- distribution, over the items that have one; the scoring says of which types it is
-- asked.
-- Source: METRICS.md (TVD), SCORING.md §3, §6.
with compared as (
    select
        cells.run_id,
        cells.report_row,
        cells.rule,
        cells.subset,
        cells.kind,
        cells.n_items,
        cells.n_supported,
        cells.n_compared,
        cells.n_items_compared,
        cells.sum_total_variation as total_variation_units,
        cells.subset = 'tvd' and cells.kind = 'all' as is_compared,
        cells.subset = 'index'
        and array_contains(scoring_rules.tvd_types, cells.kind) as is_asked
    from cells
    inner join runs on cells.run_id = runs.run_id
    inner join benchmarks on runs.benchmark_id = benchmarks.benchmark_id
    left join scoring_rules on benchmarks.scoring = scoring_rules.scoring
),

summed as (
    select
        run_id,
        report_row,
        rule,
        sum(total_variation_units) filter (where is_compared) as total_variation_units,
        cast(sum(n_compared) filter (where is_compared) as bigint) as n_compared,
        cast(sum(n_items_compared) filter (where is_compared) as bigint)
            as n_items_compared,
        cast(sum(n_items) filter (where is_compared) as bigint) as n_items,
        cast(sum(n_items) filter (where is_asked) as bigint) as n_asked,
        cast(
            coalesce(
                sum(n_supported) filter (where is_compared),
                sum(n_supported) filter (where is_asked)
            ) as bigint
        ) as n_supported
    from compared
    group by run_id, report_row, rule
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        mean_of_units(summed.total_variation_units, summed.n_compared) as value,
        coalesce(summed.n_items_compared, 0) as n,
        coalesce(summed.n_items, 0) as n_scope,
        summed.n_asked,
        summed.n_supported
    from frames
    left join summed
        on frames.run_id = summed.run_id
        and frames.report_row = summed.report_row
        and frames.rule = summed.rule
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
