-- levels_met: one row: the lowest and the highest level that ok answers say without a
-- distribution, the highest level there is, and whether one of them is the lowest or
-- the highest of its own rubric. Reads chosen, asked and shapes (the items).
-- Source: DOOR.md §5.
select
    min(chosen.level) as lowest,
    max(chosen.level) as highest,
    max(len(shapes.options)) - 1 as last_level,
    bool_or(chosen.level = 0e0 or chosen.level = len(shapes.options) - 1) as has_end
from chosen
inner join asked on chosen.item_id = asked.item_id
inner join shapes on asked.shape = shapes.shape
where
    chosen.level is not null
    and chosen.probabilities is null
    and chosen.status = 'ok'
