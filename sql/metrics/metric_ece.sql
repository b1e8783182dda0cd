-- metric_ece: one row per run, report row, method and kind.
-- In [0, 1], lower is better. Sum over equal-width bins of n_bin / n x abs(mean stated
-- probability - share true), over answers with a distribution, to n items. choice,
-- score, pooled and all state the top label; noul states P(yes).
-- Source: METRICS.md (ECE), SCORING.md §3.
with errors as (
    select
        run_id,
        report_row,
        rule,
        kind,
        cast(sum(n) as bigint) as n,
        sum(abs(
            stated_units - cast(n_true as decimal(20, 0)) * 9007199254740992
        )) as gap_units
    from bin_cells
    group by run_id, report_row, rule, kind
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        ece_kinds.kind,
        mean_of_units(errors.gap_units, errors.n) as value,
        case when errors.n > 0 then cells.n_items_stated else 0 end as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, ece_kinds.kind)
            as n_supported
    from frames
    cross join ece_kinds
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and frames.rule = cells.rule
        and ece_kinds.subset = cells.subset
        and cells.kind = 'all'
    left join errors
        on frames.run_id = errors.run_id
        and frames.report_row = errors.report_row
        and frames.rule = errors.rule
        and ece_kinds.kind = errors.kind
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    'ece' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
