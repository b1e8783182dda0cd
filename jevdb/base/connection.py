"""A connection to DuckDB, as every function that runs SQL takes it."""

import duckdb

Connection = duckdb.DuckDBPyConnection
