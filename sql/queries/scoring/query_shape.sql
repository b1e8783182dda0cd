-- query_shape: one row: why DuckDB cannot read $query as selects, how many there are,
-- and the table functions and relations they name.
with parsed as (
    select json_serialize_sql(cast($query as varchar)) as tree
),

named as (
    select
        nodes.key,
        nodes.path,
        lower(nodes.atom ->> '$') as name
    from parsed, json_tree(parsed.tree) as nodes
    where nodes.key in ('function_name', 'table_name')
)

select
    parsed.tree ->> 'error_type' as error_type,
    parsed.tree ->> 'error_message' as error_message,
    json_array_length(parsed.tree, '$.statements') as n_statements,
    (
        select coalesce(list(distinct name), [])
        from named
        where key = 'function_name' and path like '%.function'
    ) as table_functions,
    (
        select coalesce(list(distinct name), [])
        from named
        where key = 'table_name'
    ) as relations
from parsed
