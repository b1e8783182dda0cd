-- item_changes: one row per incoming item that is not stored just so: new, with
-- its options in another order, with other content, or with another gold.
-- Inside rows two nulls are equal.
with stored as (
    select
        golden_items.item_id,
        items.meta,
        items."group",
        items.level_values,
        items.positive,
        golden_items.type,
        golden_items.modality,
        golden_items.tier,
        golden_items.family,
        golden_items.domain,
        golden_items.options,
        golden_items.gold_index,
        golden_items.gold_labels,
        golden_items.reference
    from golden_items
    inner join items
        on golden_items.benchmark_id = items.benchmark_id
        and golden_items.item_id = items.item_id
    where golden_items.benchmark_id = $benchmark_id
),

compared as (
    select
        incoming_items.item_id,
        case
            when stored.item_id is null then 'new'
            when
                incoming_items.type = stored.type
                and incoming_items.options <> stored.options
                and list_sort(incoming_items.options) = list_sort(stored.options)
                then 'order'
            when
                row(
                    incoming_items.type, incoming_items.modality, incoming_items.tier,
                    incoming_items.family, incoming_items.domain,
                    incoming_items.options, incoming_items.meta,
                    incoming_items."group", incoming_items.level_values,
                    incoming_items.positive
                ) <> row(
                    stored.type, stored.modality, stored.tier,
                    stored.family, stored.domain,
                    stored.options, cast(stored.meta as varchar),
                    stored."group", stored.level_values,
                    stored.positive
                ) then 'other'
            when
                row(
                    incoming_items.label_index, incoming_items.labels,
                    incoming_items.reference
                ) <> row(
                    stored.gold_index, stored.gold_labels, stored.reference
                ) then 'gold'
        end as change
    from incoming_items
    left join stored on incoming_items.item_id = stored.item_id
)

select
    item_id,
    change
from compared
where change is not null
order by item_id
