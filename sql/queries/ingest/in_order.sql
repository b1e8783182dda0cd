-- in_order: one row: whether judged rows are read as they were given, each of an
-- item whose id comes after the one before by code point, or of its next repeat. Then
-- nothing is answered twice.
with neighbours as (
    select
        item_id,
        repeat,
        position,
        lag(item_id) over () as item_before,
        lag(repeat) over () as repeat_before,
        lag(position) over () as position_before
    from judged
)

select
    coalesce(
        bool_and(
            (
                item_id > item_before
                or (item_id = item_before and repeat > repeat_before)
            )
            and position > position_before
        ),
        true
    ) as is_in_order
from neighbours
where position_before is not null
