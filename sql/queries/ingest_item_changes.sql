-- ingest_item_changes: one row per incoming item that is not stored just so: new, with other content, or
-- with another gold.
with stored as (
    select
        golden_items.item_id,
        items.meta,
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
            when incoming_items.type <> stored.type
                or incoming_items.modality <> stored.modality
                or incoming_items.tier is distinct from stored.tier
                or incoming_items.family is distinct from stored.family
                or incoming_items.domain is distinct from stored.domain
                or incoming_items.options <> stored.options
                or incoming_items.meta is distinct from cast(stored.meta as varchar)
                then 'other'
            when incoming_items.label_index is distinct from stored.gold_index
                or incoming_items.labels is distinct from stored.gold_labels
                or incoming_items.reference is distinct from stored.reference
                then 'gold'
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
