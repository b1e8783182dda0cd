-- surely_right: the types of items of which one of held_rows is right beyond doubt: it
-- says the newest gold, and its distribution, if it has one, gives that more than all
-- others together. No macro is needed for that, so most runs are known to have a right
-- answer of each type in a fraction of the time that held_answers takes.
-- Source: DOOR.md §5 (all wrong).
with answered as (
    select
        items.type,
        golds.gold_revision,
        held_rows.item_id,
        coalesce(
            case
                when items.type = 'multi_select' then held_rows.labels = golds.labels
                when held_rows.probabilities is null
                    then held_rows.label_index = golds.label_index
                else
                    1.98e0 * held_rows.probabilities[golds.label_index + 1]
                    > list_sum(held_rows.probabilities)
            end,
            false
        ) as is_right
    from held_rows
    inner join golds
        on golds.benchmark_id = $benchmark_id
        and held_rows.item_id = golds.item_id
    inner join items
        on items.benchmark_id = $benchmark_id
        and held_rows.item_id = items.item_id
    where held_rows.status = 'ok'
),

newest as (
    select
        type,
        max_by(is_right, gold_revision) as is_right
    from answered
    group by type, item_id
)

select distinct type
from newest
where is_right
