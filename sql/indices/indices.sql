-- indices: one row per run, report row, method and index: I (metric intelligence, at
-- most 100, may be negative) and C (metric calibration, in [0, 100]).
-- Higher is better. Mean of the components of the types that the row has items of, for
-- I by the method's type weights; types that the run declared unsupported are left out.
-- Null with the reason of the first null component. n and n_scope are the sums of the
-- components'; one that is left out has no n.
-- Source: METRICS.md (I/C formulas), SCORING.md §4, §5.
with weighted as (
    select
        components.run_id,
        components.report_row,
        components.method_id,
        components.metric,
        components.kind,
        components.value,
        components.n,
        components.n_scope,
        components.reason,
        cells.n_supported > 0 as is_supported,
        index_weight(
            components.metric,
            components.kind,
            frames.choice_weight,
            frames.noul_weight,
            frames.score_weight
        ) as weight
    from components
    inner join frames
        on components.run_id = frames.run_id
        and components.report_row = frames.report_row
        and components.method_id = frames.method_id
    inner join cells
        on components.run_id = cells.run_id
        and components.report_row = cells.report_row
        and frames.rule = cells.rule
        and components.kind = cells.kind
        and cells.subset = 'index'
),

averaged as (
    select
        metric,
        run_id,
        report_row,
        method_id,
        case
            when count_if(is_supported) = count(value)
                then
                    mean_of_units(exact_sum(weight * value), 1)
                    / mean_of_units(
                        exact_sum(case when is_supported then weight end), 1
                    )
        end as value,
        cast(sum(n) as bigint) as n,
        cast(sum(n_scope) as bigint) as n_scope,
        coalesce(
            max(case when is_supported and kind = 'choice' then reason end),
            max(case when is_supported and kind = 'noul' then reason end),
            max(case when is_supported and kind = 'score' then reason end),
            case when count_if(is_supported) = 0 then 'unsupported_type' end
        ) as reason
    from weighted
    group by metric, run_id, report_row, method_id
)

select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    'all' as kind,
    metrics.metric,
    averaged.value,
    coalesce(averaged.n, 0) as n,
    coalesce(averaged.n_scope, 0) as n_scope,
    case when averaged.run_id is null then 'no_rows' else averaged.reason end as reason
from frames
cross join (values ('intelligence'), ('calibration')) as metrics (metric)
left join averaged
    on frames.run_id = averaged.run_id
    and frames.report_row = averaged.report_row
    and frames.method_id = averaged.method_id
    and metrics.metric = averaged.metric
