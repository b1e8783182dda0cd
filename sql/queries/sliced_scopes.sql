-- sliced_scopes: the scopes, and for every report row one more per value of a
-- dimension, named 'report_row/value'; $dimension is tier, family or domain; items
-- without a value are in no slice.
select
    benchmark_id,
    report_row,
    subset,
    item_id
from scopes
union all
select
    scopes.benchmark_id,
    scopes.report_row || '/' || case $dimension
        when 'tier' then golden_items.tier
        when 'family' then golden_items.family
        when 'domain' then golden_items.domain
    end as report_row,
    scopes.subset,
    scopes.item_id
from scopes
inner join golden_items
    on scopes.benchmark_id = golden_items.benchmark_id
    and scopes.item_id = golden_items.item_id
where case $dimension
    when 'tier' then golden_items.tier
    when 'family' then golden_items.family
    when 'domain' then golden_items.domain
end is not null
