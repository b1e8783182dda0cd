-- golds_insert: stores the gold of the incoming items that have none yet, or
-- another one.
insert into golds by name
select
    cast($benchmark_id as varchar) as benchmark_id,
    cast($gold_revision as integer) as gold_revision,
    incoming_items.item_id,
    incoming_items.label_index,
    incoming_items.labels,
    incoming_items.reference,
    cast($seq as bigint) as seq
from incoming_items
left join golden_items
    on golden_items.benchmark_id = $benchmark_id
    and incoming_items.item_id = golden_items.item_id
where
    incoming_items.label_index is distinct from golden_items.gold_index
    or incoming_items.labels is distinct from golden_items.gold_labels
    or incoming_items.reference is distinct from golden_items.reference
