-- ingest_items: creates asked, one row per item with the number of its shape.
create temp table asked as
select
    items_given.item_id,
    shapes.shape,
    items_given.type,
    items_given.options,
    items_given.gold_index,
    items_given.gold_labels
from items_given
inner join shapes
    on items_given.type = shapes.type
    and items_given.options = shapes.options
