-- items_without_gold: one row per item that no gold revision gives a gold.
-- Source: SCORING.md §1.
select
    'benchmark ' || items.benchmark_id || ', item ' || items.item_id as subject,
    'no gold in any revision' as detail
from items
left join golds
    on items.benchmark_id = golds.benchmark_id
    and items.item_id = golds.item_id
where golds.item_id is null
