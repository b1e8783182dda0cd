-- placed: one row per staged prediction, in order: the shape of its item, null
-- where the item is unknown. The one join on ids: what follows joins on numbers. Arrow
-- has no row counts for the planner: the right side, a batch, is the one to be hashed.
-- Reads staged_ids (a batch) and asked (the items).
select asked.shape
from asked
right join staged_ids on asked.item_id = staged_ids.item_id  -- noqa: CV08
order by staged_ids.position
