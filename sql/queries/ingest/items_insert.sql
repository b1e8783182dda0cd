-- items_insert: stores the incoming items that the benchmark does not have yet.
insert into items by name
select
    cast($benchmark_id as varchar) as benchmark_id,
    incoming_items.item_id,
    incoming_items.type,
    incoming_items.modality,
    incoming_items.tier,
    incoming_items.family,
    incoming_items.domain,
    incoming_items."group",
    incoming_items.level_values,
    incoming_items.positive,
    incoming_items.options,
    cast(incoming_items.meta as json) as meta,
    cast($seq as bigint) as seq
from incoming_items
where incoming_items.item_id not in (
    select items.item_id
    from items
    where items.benchmark_id = $benchmark_id
)
