-- sliced_scopes: the scopes, and for every report row one more per value of a
-- dimension, named 'report_row/value'; $dimension is type, tier, family or domain;
-- items without a value are in no slice.
with valued as (
    select
        benchmark_id,
        item_id,
        case $dimension
            when 'type' then type
            when 'tier' then tier
            when 'family' then family
            when 'domain' then domain
        end as value
    from golden_items
)

select
    benchmark_id,
    report_row,
    subset,
    item_id
from scopes
union all
select
    scopes.benchmark_id,
    scopes.report_row || '/' || valued.value as report_row,
    scopes.subset,
    scopes.item_id
from scopes
inner join valued
    on scopes.benchmark_id = valued.benchmark_id
    and scopes.item_id = valued.item_id
where valued.value is not null
