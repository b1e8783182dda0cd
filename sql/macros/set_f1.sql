-- set_f1: 2 x hits / (picked + gold) of two sets of labels, 1 when both are empty, in
-- [0, 1].
-- Source: SCORING.md §3 (multi-select).
create or replace macro set_f1(picked, gold) as
    case
        when picked = gold then 1e0
        else 2e0 * len(list_intersect(picked, gold))
            / (len(list_distinct(picked)) + len(list_distinct(gold)))
    end;
