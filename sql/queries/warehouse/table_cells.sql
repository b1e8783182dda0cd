-- table_cells: one number that depends on every cell of a table, so that every block of
-- its data is read and held to its checksum.
select bit_xor(hash(cells)) as digest from query_table($table) as cells
