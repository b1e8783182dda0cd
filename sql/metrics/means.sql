-- means: one row per run, report row, method, metric that is a mean of terms, and kind.
-- The mean is over the answers to the kind's items that have a term; n are the items
-- of which one has. Over all items, an answer without a term counts 0, and types that
-- the run declared unsupported give no value.
-- Which metrics these are, jevdb/base/metrics.py lists.
-- Source: SCORING.md §3.
with sums as (
    select *
    from cells
    unpivot include nulls (units for tally in (columns('^sum_')))
),

averaged as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        kinds.metric,
        sums.n_items,
        kinds.counted,
        sums.n_items_stated,
        sums.n_items_proper,
        sums.n_items_compared,
        sums.n_items_rated,
        supported_count(sums.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported,
        case
            when kinds.counted = 'items' then coalesce(sums.units, 0)
            else sums.units
        end as units,
        case kinds.counted
            when 'items' then case when sums.n_supported > 0 then sums.n_answers end
            when 'stated' then sums.n_stated
            when 'proper' then sums.n_proper
            when 'compared' then sums.n_compared
            when 'rated' then sums.n_rated
        end as n_averaged
    from frames
    cross join (
        values
        $mean_kinds
    ) as kinds (metric, kind, subset, type, tally, counted)
    left join sums
        on frames.run_id = sums.run_id
        and frames.report_row = sums.report_row
        and frames.rule = sums.rule
        and kinds.subset = sums.subset
        and kinds.type = sums.kind
        and kinds.tally = sums.tally
),

valued as (
    select
        run_id,
        gold_revision,
        report_row,
        method_id,
        kind,
        metric,
        mean_of_units(units, n_averaged) as value,
        coalesce(
            case
                when n_averaged is null then 0
                when counted = 'items' then n_items
                when counted = 'stated' then n_items_stated
                when counted = 'proper' then n_items_proper
                when counted = 'compared' then n_items_compared
                when counted = 'rated' then n_items_rated
            end,
            0
        ) as n,
        coalesce(n_items, 0) as n_scope,
        n_supported
    from averaged
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
