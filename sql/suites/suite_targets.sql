-- suite_targets: one row per version of a suite, member whose base the items give, and
-- option of each of its items: what gold gives the option.
-- target is gold one-hot; for a metric of soft targets it is the gold distribution,
-- where the item has one. position counts from 1.
-- Source: SUITES.md §3 (chance, brier_skill, rps_skill), §4 (base).
with asked as (
    select
        suite_members.suite,
        suite_members.version,
        suite_members.member,
        suite_members.metric,
        suite_scopes.item_id,
        golden_items.options,
        golden_items.option_count,
        golden_items.gold_index,
        case
            when
                starts_with(suite_members.metric, 'soft_')
                or suite_members.metric in ('balanced_accuracy', 'value_mae')
                then golden_items.reference
        end as reference
    from suite_members
    inner join metric_kinds
        on suite_members.metric = metric_kinds.metric
        and suite_members.kind = metric_kinds.kind
    inner join suite_scopes
        on suite_members.benchmark_id = suite_scopes.benchmark_id
        and suite_members.scope_row = suite_scopes.report_row
        and coalesce(metric_kinds.subset, 'all') = suite_scopes.subset
    inner join golden_items
        on suite_members.benchmark_id = golden_items.benchmark_id
        and suite_scopes.item_id = golden_items.item_id
        and metric_kinds.type in ('all', golden_items.type)
    where
        suite_members.base_rule is not null
        and golden_items.gold_index is not null
),

opened as (
    select
        suite,
        version,
        member,
        metric,
        item_id,
        options,
        option_count,
        gold_index,
        reference,
        unnest(options) as option,
        generate_subscripts(options, 1) as position
    from asked
)

select
    suite,
    version,
    member,
    metric,
    item_id,
    options,
    option_count,
    option,
    cast(position as integer) as position,
    coalesce(reference[position], cast(position = gold_index + 1 as double))
        as target
from opened
