-- query_shape: one row: why DuckDB cannot parse $query as selects, how many there are, and the
-- table functions they call.
with parsed as (
    select json_serialize_sql(cast($query as varchar)) as tree
)

select
    tree ->> 'error_type' as error_type,
    tree ->> 'error_message' as error_message,
    json_array_length(tree, '$.statements') as n_statements,
    (
        select list(distinct lower(atom ->> '$'))
        from json_tree(tree)
        where key = 'function_name' and path like '%.function'
    ) as table_functions
from parsed
