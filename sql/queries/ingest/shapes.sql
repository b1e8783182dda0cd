-- shapes: one row per type and list of options that the items of a benchmark
-- have, numbered.
select
    row_number() over (
        order by
            distinct_shapes.type,
            distinct_shapes.options
    ) as shape,
    distinct_shapes.type,
    distinct_shapes.options
from (
    select distinct
        items.type,
        items.options
    from items
    where items.benchmark_id = $benchmark_id
) as distinct_shapes
