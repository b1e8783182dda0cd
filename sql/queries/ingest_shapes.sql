-- ingest_shapes: creates shapes, one row per type and list of options that the items have.
create temp table shapes as
select
    row_number() over () as shape,
    type,
    options
from (select distinct type, options from items_given) as distinct_shapes
