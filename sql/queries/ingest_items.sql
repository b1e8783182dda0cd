-- ingest_items: creates asked, one row per item with the number of its shape.
create temp table asked as
select
    items_given.item_id,
    shapes.shape
from items_given
inner join shapes
    on items_given.type || cast(to_json(items_given.options) as varchar)
    = shapes.signature
