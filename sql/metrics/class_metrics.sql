-- class_metrics: one row per run, report row, method, kind and metric that is told
-- class by class: balanced_accuracy, macro_f1, conservative_f1 and f1. Of each class:
-- hit is the target mass that was said to be of it, and is. Null with the reason
-- no_common_options where the options differ between the items.
-- Source: SUITES.md §3.
with told as (
    select
        class_cells.run_id,
        class_cells.rule,
        class_cells.report_row,
        class_cells.kind,
        class_cells.class = constants.positive as is_positive,
        class_cells.target_units > 0 as is_in_gold,
        mean_of_units(class_cells.hit_units, 1)
        / nullif(mean_of_units(class_cells.target_units, 1), 0e0) as recall,
        2e0 * mean_of_units(class_cells.hit_units, 1)
        / nullif(
            mean_of_units(class_cells.target_units + class_cells.said_units, 1), 0e0
        ) as f1,
        2e0 * mean_of_units(class_cells.hit_units, 1)
        / nullif(
            mean_of_units(class_cells.answered_units + class_cells.said_units, 1)
            + (cells.n_answers - cells.n_ok),
            0e0
        ) as conservative_f1
    from class_cells
    inner join constants
        on class_cells.benchmark_id = constants.benchmark_id
        and class_cells.report_row = constants.report_row
        and class_cells.kind = constants.kind
    inner join cells
        on class_cells.run_id = cells.run_id
        and class_cells.rule = cells.rule
        and class_cells.report_row = cells.report_row
        and class_cells.kind = cells.kind
        and cells.subset = 'index'
),

averaged as (
    select
        run_id,
        rule,
        report_row,
        kind,
        case
            when count_if(is_in_gold) > 1
                then mean_of_units(exact_sum(recall), count(recall))
        end as balanced_accuracy,
        mean_of_units(exact_sum(f1), count(f1)) as macro_f1,
        mean_of_units(exact_sum(conservative_f1), count(*)) as conservative_f1,
        max(case when is_positive then f1 end) as f1
    from told
    group by run_id, rule, report_row, kind
),

valued as (
    select
        frames.run_id,
        frames.gold_revision,
        frames.report_row,
        frames.method_id,
        kinds.kind,
        metrics.metric,
        case
            when cells.n_supported > 0
                then case metrics.metric
                    when 'balanced_accuracy' then averaged.balanced_accuracy
                    when 'macro_f1' then averaged.macro_f1
                    when 'conservative_f1' then averaged.conservative_f1
                    when 'f1' then averaged.f1
                end
        end as value,
        coalesce(constants.n_items, 0) as n_scope,
        supported_count(cells.n_supported, frames.unsupported_types, kinds.kind)
            as n_supported,
        constants.option_set,
        constants.positive
    from frames
    cross join (values ('all'), ('choice'), ('noul'), ('score')) as kinds (kind)
    cross join (
        values
        ('balanced_accuracy'), ('macro_f1'), ('conservative_f1'), ('f1')
    ) as metrics (metric)
    left join constants
        on frames.benchmark_id = constants.benchmark_id
        and frames.report_row = constants.report_row
        and kinds.kind = constants.kind
    left join cells
        on frames.run_id = cells.run_id
        and frames.rule = cells.rule
        and frames.report_row = cells.report_row
        and kinds.kind = cells.kind
        and cells.subset = 'index'
    left join averaged
        on frames.run_id = averaged.run_id
        and frames.rule = averaged.rule
        and frames.report_row = averaged.report_row
        and kinds.kind = averaged.kind
)

select
    run_id,
    gold_revision,
    report_row,
    method_id,
    kind,
    metric,
    value,
    case when value is null then 0 else n_scope end as n,
    n_scope,
    case
        when value is not null then null
        when n_scope = 0 or n_supported = 0
            then null_reason(value, n_scope, n_supported, n_scope)
        when option_set is null then 'no_common_options'
        when metric = 'f1' and positive is null then 'no_positive'
        when metric = 'f1' then 'no_rows'
        else 'one_class'
    end as reason
from valued
