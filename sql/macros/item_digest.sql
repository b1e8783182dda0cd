-- item_digest: SHA-256 (hex) of an item with its gold: the JSON array of its columns in
-- this order; the group only where there is one, and it with values and positive class
-- where one of these is there, so that items without stay what they were.
-- Source: DESIGN.md §5 (identity).
create or replace macro item_digest(
    item_id, type, modality, tier, family, domain, options, meta,
    label_index, labels, reference, item_group, level_values, positive
) as
    sha256(cast(case
        when coalesce(cast(level_values as varchar), positive) is not null
            then json_array(
                item_id, type, modality, tier, family, domain, options,
                cast(meta as varchar), label_index, labels, reference, item_group,
                level_values, positive
            )
        when item_group is null then json_array(
            item_id, type, modality, tier, family, domain, options,
            cast(meta as varchar), label_index, labels, reference
        )
        else json_array(
            item_id, type, modality, tier, family, domain, options,
            cast(meta as varchar), label_index, labels, reference, item_group
        )
    end as varchar));
