-- asked: one row per item of a benchmark: the number of its shape. Reads shapes.
select
    items.item_id,
    shapes.shape
from items
inner join shapes
    on items.type = shapes.type
    and items.options = shapes.options
where items.benchmark_id = $benchmark_id
