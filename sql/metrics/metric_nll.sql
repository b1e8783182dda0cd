-- metric_nll: one row per run, report row, method and kind.
-- In [0, -ln(floor)], lower is better. Mean of -ln(max(p(gold), floor)), over
-- single-answer rows with a distribution. Its last bit follows the platform's
-- logarithm.
-- Source: SCORING.md §3 (NLL).
with kinds as (
    select *
    from (values ('all'), ('choice'), ('noul'), ('score')) as kinds (kind)
),

likelihoods as (
    select
        likelihood_tallies.run_id,
        stratum_places.report_row,
        likelihood_tallies.probability_floor,
        kinds.kind,
        cast(sum(likelihood_tallies.n) as bigint) as n,
        sum(likelihood_tallies.likelihood_units) as likelihood_units
    from likelihood_tallies
    inner join stratum_places
        on likelihood_tallies.benchmark_id = stratum_places.benchmark_id
        and likelihood_tallies.stratum = stratum_places.stratum
        and stratum_places.subset = 'index'
    cross join kinds
    where kinds.kind in ('all', likelihood_tallies.type)
    group by
        likelihood_tallies.run_id,
        stratum_places.report_row,
        likelihood_tallies.probability_floor,
        kinds.kind
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        mean_of_units(likelihoods.likelihood_units, likelihoods.n) as value,
        coalesce(likelihoods.n, 0) as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported
    from frames
    cross join kinds
    left join cells
        on frames.run_id = cells.run_id
        and frames.report_row = cells.report_row
        and kinds.kind = cells.kind
        and cells.subset = 'index'
    left join likelihoods
        on frames.run_id = likelihoods.run_id
        and frames.report_row = likelihoods.report_row
        and frames.probability_floor = likelihoods.probability_floor
        and kinds.kind = likelihoods.kind
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    'nll' as metric,
    value,
    n,
    n_scope,
    null_reason(value, n_scope, n_supported, n_scope) as reason
from valued
