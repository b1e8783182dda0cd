-- in_order: one row: whether judged rows are read as they were given, each of an
-- item whose id comes after the one before by code point. Then no item is repeated.
with neighbours as (
    select
        item_id,
        position,
        lag(item_id) over () as item_before,
        lag(position) over () as position_before
    from judged
)

select
    coalesce(
        bool_and(item_id > item_before and position > position_before), true
    ) as is_in_order
from neighbours
where position_before is not null
