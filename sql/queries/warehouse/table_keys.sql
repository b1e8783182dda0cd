-- table_keys: one row per table of the warehouse: the columns of its primary key, none
-- where it has no key.
select
    tables.table_name,
    coalesce(constraints.constraint_column_names, []) as key_columns
from duckdb_tables() as tables
left join duckdb_constraints() as constraints
    on tables.table_oid = constraints.table_oid
    and tables.database_oid = constraints.database_oid
    and constraints.constraint_type = 'PRIMARY KEY'
where
    tables.schema_name = 'main'
    and tables.database_name = current_database()
order by tables.table_name
