-- same_set: whether two lists hold the same labels, repeats counted once.
-- Source: METRICS.md (multi-select accuracy).
create or replace macro same_set(picked, gold) as
    list_sort(list_distinct(picked)) = list_sort(list_distinct(gold));
