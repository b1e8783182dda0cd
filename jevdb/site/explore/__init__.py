"""The warehouse in the reader's browser: DuckDB-WASM, a public copy, the page."""
