-- items: one row per member of the selected suite and item of its number, in their
-- order; unit is what answers together: the item's group, or the item alone.
select
    suite_members.member,
    suite_scopes.item_id,
    coalesce('group ' || golden_items."group", 'item ' || suite_scopes.item_id)
        as unit,
    golden_items.type,
    golden_items.weighted_tier,
    golden_items.options,
    golden_items.gold_index,
    golden_items.reference,
    case
        when golden_items.type = 'score'
            then
                chance_rating_error(golden_items.option_count, golden_items.gold_index)
    end as chance_rating_error,
    golden_items.level_values,
    golden_items.positive
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
order by suite_members.member, suite_scopes.item_id
