-- repeat_metrics: one row per run, report row, method, metric of repeats and kind: what
-- asking the same items several times shows. Null with the reason no_repeats where the
-- run asked once, or no item has two ok answers.
-- Counts and their squares are whole numbers, so that the deviation is exact but for
-- one root and one division.
-- Source: SUITES.md §2; INFERENCE.md §3 (disagreement).
with placed as (
    select
        repeat_rights.run_id,
        scopes.report_row,
        repeat_rights.rule,
        kinds.kind,
        repeat_rights.repeat,
        sum(repeat_rights.n_right) as n_right
    from repeat_rights
    inner join runs on repeat_rights.run_id = runs.run_id
    inner join scopes
        on runs.benchmark_id = scopes.benchmark_id
        and repeat_rights.stratum = scopes.item_id
        and scopes.subset = 'all'
    inner join strata
        on scopes.benchmark_id = strata.benchmark_id
        and scopes.item_id = strata.item_id
    cross join (
        values
        ('all'), ('choice'), ('noul'), ('score'), ('multi_select')
    ) as kinds (kind)
    where kinds.kind in ('all', strata.type)
    group by
        repeat_rights.run_id,
        scopes.report_row,
        repeat_rights.rule,
        kinds.kind,
        repeat_rights.repeat
),

varied as (
    select
        run_id,
        report_row,
        rule,
        kind,
        count(*) * sum(n_right * n_right) - sum(n_right) * sum(n_right) as spread
    from placed
    group by run_id, report_row, rule, kind
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        metrics.metric,
        cells.n_items,
        case
            when cells.n_twice_ok is null then null
            when metrics.metric = 'flip_rate' then cells.n_twice_ok
            else cells.n_items
        end as n,
        case metrics.metric
            when 'flip_rate' then cells.n_flipped / nullif(cells.n_twice_ok, 0)
            when 'pass_all' then cells.n_always_right / cells.n_items
            when 'pass_any' then cells.n_once_right / cells.n_items
            when 'disagreement'
                then
                    2e0
                    * (runs.n_repeats * cells.n_right - cells.n_right_squares)
                    / (cells.n_answers * (runs.n_repeats - 1))
            when 'accuracy_sd'
                then
                    sqrt(
                        cast(varied.spread as double)
                        / (runs.n_repeats * (runs.n_repeats - 1))
                    ) / cells.n_items
        end as value
    from frames
    inner join runs on frames.run_id = runs.run_id
    cross join (
        values
        ('all'), ('choice'), ('noul'), ('score'), ('multi_select')
    ) as kinds (kind)
    cross join (
        values
        ('flip_rate'), ('pass_all'), ('pass_any'), ('disagreement'), ('accuracy_sd')
    ) as metrics (metric)
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and frames.rule = cells.rule
        and kinds.kind = cells.kind
        and cells.subset = 'all'
    left join varied
        on frames.run_id = varied.run_id
        and frames.report_row = varied.report_row
        and frames.rule = varied.rule
        and kinds.kind = varied.kind
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    metric,
    value,
    coalesce(n, 0) as n,
    coalesce(n_items, 0) as n_scope,
    case
        when n_items is null then 'no_rows'
        when value is null then 'no_repeats'
    end as reason
from valued
