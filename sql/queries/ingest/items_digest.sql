-- items_digest: one row: the digest of the incoming items whose content or gold
-- is not stored yet.
select
    digest_of(
        item_digest(
            incoming_items.item_id, incoming_items.type, incoming_items.modality,
            incoming_items.tier, incoming_items.family, incoming_items.domain,
            incoming_items.options, incoming_items.meta, incoming_items.label_index,
            incoming_items.labels, incoming_items.reference,
            incoming_items."group", incoming_items.level_values,
            incoming_items.positive
        ),
        incoming_items.item_id
    ) as content_sha256
from incoming_items
left join golden_items
    on golden_items.benchmark_id = $benchmark_id
    and incoming_items.item_id = golden_items.item_id
where
    incoming_items.label_index is distinct from golden_items.gold_index
    or incoming_items.labels is distinct from golden_items.gold_labels
    or incoming_items.reference is distinct from golden_items.reference
