-- parted_scopes: the scopes of the report rows $parts_of once more per value of type,
-- modality, tier, family and domain, named 'row/dimension/value' instead; a dimension
-- with one value has no part, and items without a value are in none.
with valued as (
    unpivot (
        select
            benchmark_id,
            item_id,
            type,
            modality,
            tier,
            family,
            domain
        from golden_items
    )
    on type, modality, tier, family, domain
    into name dimension value part
),

counted as (
    select
        *,
        count(distinct part) over (partition by benchmark_id, dimension) as n_parts
    from valued
)

select
    scopes.benchmark_id,
    concat_ws('/', scopes.report_row, counted.dimension, counted.part) as report_row,
    scopes.subset,
    scopes.item_id
from scopes
inner join counted
    on scopes.benchmark_id = counted.benchmark_id
    and scopes.item_id = counted.item_id
where array_contains($parts_of, scopes.report_row) and counted.n_parts > 1
