-- skills: one row per run, report row, method, kind and metric that holds a loss
-- against that of a constant: brier_skill, rps_skill and mae_skill, 1 - loss /
-- constant. At most 1; 0 is no better than what never looks at the question. The
-- constant is over all items of the row, the loss over the answers that have one.
-- Source: SUITES.md §3.
with losses as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.metric,
        kinds.kind,
        case kinds.metric
            when 'brier_skill'
                then mean_of_units(cells.sum_soft_squared_error, cells.n_proper)
            when 'rps_skill'
                then mean_of_units(cells.sum_soft_ranked_probability, cells.n_proper)
            when 'mae_skill' then mean_of_units(cells.sum_value_error, cells.n_rated)
        end as loss,
        case kinds.metric
            when 'brier_skill' then constants.squared_constant
            when 'rps_skill' then constants.ranked_constant
            when 'mae_skill' then constants.value_constant
        end as constant,
        case kinds.metric
            when 'mae_skill' then cells.n_items_rated
            else cells.n_items_proper
        end as n,
        coalesce(cells.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported,
        constants.option_set is not null or kinds.metric = 'mae_skill' as is_common,
        kinds.metric = 'brier_skill' and constants.n_classes < 2 as is_one_class,
        constants.is_level and kinds.metric <> 'mae_skill' as is_level
    from frames
    cross join (
        values
        ('brier_skill', 'all', 'index'),
        ('brier_skill', 'choice', 'index'),
        ('brier_skill', 'noul', 'index'),
        ('brier_skill', 'score', 'index'),
        ('rps_skill', 'score', 'rps'),
        ('mae_skill', 'score', 'rps')
    ) as kinds (metric, kind, subset)
    left join cells
        on frames.run_id = cells.run_id
        and frames.rule = cells.rule
        and frames.report_row = cells.report_row
        and kinds.kind = cells.kind
        and kinds.subset = cells.subset
    left join constants
        on frames.benchmark_id = constants.benchmark_id
        and frames.report_row = constants.report_row
        and kinds.kind = constants.kind
),

valued as (
    select
        *,
        case
            when is_common and not is_one_class and not is_level and constant > 0e0
                then 1e0 - loss / constant
        end as value
    from losses
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    metric,
    value,
    case when value is null then 0 else n end as n,
    n_scope,
    case
        when value is not null then null
        when n_scope = 0 or n_supported = 0
            then null_reason(value, n_scope, n_supported, n_scope)
        when not is_common then 'no_common_options'
        when is_one_class then 'one_class'
        when is_level or constant <= 0e0 then 'no_headroom'
        else 'no_probabilities'
    end as reason
from valued
