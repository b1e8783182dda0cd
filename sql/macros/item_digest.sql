-- item_digest: SHA-256 (hex) of an item with its gold: the JSON array of its columns in
-- this order.
-- Source: DESIGN.md §5 (identity).
create or replace macro item_digest(
    item_id, type, modality, tier, family, domain, options, meta,
    label_index, labels, reference
) as
    sha256(cast(json_array(
        item_id, type, modality, tier, family, domain, options,
        cast(meta as varchar), label_index, labels, reference
    ) as varchar));
