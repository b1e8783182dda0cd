-- index_intelligence: one row per run, report row and method.
-- At most 100, may be negative. Mean, by the method's type weights, of the components
-- of the types that the row has items of; types that the run declared unsupported are
-- left out. Null with the reason of the first null component. n and n_scope are the
-- sums of the components'; one that is left out has no n.
-- Source: METRICS.md (I), SCORING.md §4.
with components as (
    select
        component_intelligence.run_id,
        component_intelligence.report_row,
        component_intelligence.method_id,
        component_intelligence.kind,
        component_intelligence.value,
        component_intelligence.n,
        component_intelligence.n_scope,
        component_intelligence.reason,
        cells.n_supported > 0 as is_supported,
        case component_intelligence.kind
            when 'choice' then methods.choice_weight
            when 'noul' then methods.noul_weight
            else methods.score_weight
        end as weight
    from component_intelligence
    inner join methods on component_intelligence.method_id = methods.method_id
    inner join cells
        on component_intelligence.run_id = cells.run_id
        and component_intelligence.report_row = cells.report_row
        and component_intelligence.kind = cells.kind
        and cells.subset = 'index'
),

indices as (
    select
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
    from components
    group by run_id, report_row, method_id
)

select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    'all' as kind,
    'intelligence' as metric,
    indices.value,
    coalesce(indices.n, 0) as n,
    coalesce(indices.n_scope, 0) as n_scope,
    case when indices.run_id is null then 'no_rows' else indices.reason end as reason
from frames
left join indices
    on frames.run_id = indices.run_id
    and frames.report_row = indices.report_row
    and frames.method_id = indices.method_id
