-- query_shape: one row: why DuckDB cannot read $query as selects, how many there are,
-- and the table functions they call.
with parsed as (
    select json_serialize_sql(cast($query as varchar)) as tree
)

select
    parsed.tree ->> 'error_type' as error_type,
    parsed.tree ->> 'error_message' as error_message,
    json_array_length(parsed.tree, '$.statements') as n_statements,
    (
        select list(distinct lower(nodes.atom ->> '$'))
        from json_tree(parsed.tree) as nodes
        where nodes.key = 'function_name' and nodes.path like '%.function'
    ) as table_functions
from parsed
