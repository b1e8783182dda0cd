-- metric_ece: one row per run, report row, method and kind.
-- In [0, 1], lower is better. Sum over equal-width bins of n_bin / n x abs(mean stated
-- probability - share true), over rows with a distribution. choice, score, pooled and
-- all state the top label; noul states P(yes).
-- Source: METRICS.md (ECE), SCORING.md §3.
with kinds as (
    select *
    from (
        values
        ('choice', 'ece_choice', 'top'),
        ('noul', 'ece_noul', 'yes'),
        ('score', 'ece_score', 'top'),
        ('pooled', 'pooled', 'top'),
        ('all', 'index', 'top')
    ) as kinds (kind, subset, basis)
),

gaps as (
    select
        bins.run_id,
        stratum_places.report_row,
        stratum_places.subset,
        bins.bins,
        bins.basis,
        bins.bin,
        sum(bins.n) as n,
        abs(sum(bins.stated_units - bins.n_true * 9007199254740992)) as gap_units
    from bins
    inner join stratum_places
        on bins.benchmark_id = stratum_places.benchmark_id
        and bins.stratum = stratum_places.stratum
    group by
        bins.run_id,
        stratum_places.report_row,
        stratum_places.subset,
        bins.bins,
        bins.basis,
        bins.bin
),

errors as (
    select
        run_id,
        report_row,
        subset,
        bins,
        basis,
        cast(sum(n) as bigint) as n,
        sum(gap_units) as gap_units
    from gaps
    group by run_id, report_row, subset, bins, basis
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        mean_of_units(errors.gap_units, errors.n) as value,
        coalesce(errors.n, 0) as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported
    from frames
    cross join kinds
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and kinds.subset = cells.subset
        and cells.kind = 'all'
    left join errors
        on frames.run_id = errors.run_id
        and frames.report_row = errors.report_row
        and frames.bins = errors.bins
        and kinds.subset = errors.subset
        and kinds.basis = errors.basis
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
