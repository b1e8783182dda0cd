-- ingest_shapes: creates shapes, one row per type and list of options that the items
-- have. The signature stands for both: text is compared and hashed faster than lists.
create temp table shapes as
select
    row_number() over () as shape,
    signature,
    any_value(type) as type,
    any_value(options) as options
from (
    select
        type,
        options,
        type || cast(to_json(options) as varchar) as signature
    from items_given
) as signed
group by signature
