-- answered: one row per type of items: how many of its judged rows are answers, right
-- in form or not, and whether the lowest and the highest level are among them.
-- Reads judged, asked and shapes (the items).
-- Source: DOOR.md §5.
select
    shapes.type,
    count(*) filter (
        where judged.status in ('ok', 'invalid')
        and judged.reason is distinct from 'reported'
    ) as n_answered,
    coalesce(bool_or(shapes.type = 'score' and judged.level = 0e0), false) as has_zero,
    coalesce(
        bool_or(shapes.type = 'score' and judged.level = len(shapes.options) - 1), false
    ) as has_last
from judged
inner join asked on judged.item_id = asked.item_id
inner join shapes on asked.shape = shapes.shape
group by shapes.type
