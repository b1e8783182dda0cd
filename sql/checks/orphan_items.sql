-- orphan_items: one row per benchmark that has items but is not stored.
-- Source: DESIGN.md §5.
select
    'benchmark ' || items.benchmark_id as subject,
    count(*) || ' items of an unknown benchmark' as detail
from items
left join benchmarks on items.benchmark_id = benchmarks.benchmark_id
where benchmarks.benchmark_id is null
group by items.benchmark_id
