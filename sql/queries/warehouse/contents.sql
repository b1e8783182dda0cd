-- contents: one row per table, view, macro and whatever else the catalog of the open
-- file holds, with its definition as DuckDB writes it; parameters and their types are
-- those of a macro.
-- Nothing here can be a macro of the file: table functions are named in full, and there
-- is no function and no operator but comparisons and `not`.
select
    'table' as kind,
    schema_name,
    table_name as name,
    sql as definition,
    cast(null as varchar[]) as parameters,
    cast(null as varchar[]) as parameter_types
from system.main.duckdb_tables()
where database_name = $database
union all
select
    'view' as kind,
    schema_name,
    view_name as name,
    sql as definition,
    null as parameters,
    null as parameter_types
from system.main.duckdb_views()
where database_name = $database
union all
select
    function_type as kind,
    schema_name,
    function_name as name,
    macro_definition as definition,
    parameters,
    parameter_types
from system.main.duckdb_functions()
where database_name = $database
union all
select
    'schema' as kind,
    schema_name,
    schema_name as name,
    null as definition,
    null as parameters,
    null as parameter_types
from system.main.duckdb_schemas()
where database_name = $database and not internal
union all
select
    'sequence' as kind,
    schema_name,
    sequence_name as name,
    null as definition,
    null as parameters,
    null as parameter_types
from system.main.duckdb_sequences()
where database_name = $database
union all
select
    'index' as kind,
    schema_name,
    index_name as name,
    sql as definition,
    null as parameters,
    null as parameter_types
from system.main.duckdb_indexes()
where database_name = $database
union all
select
    'type' as kind,
    schema_name,
    type_name as name,
    null as definition,
    null as parameters,
    null as parameter_types
from system.main.duckdb_types()
where database_name = $database and not internal
