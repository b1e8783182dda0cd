-- table_blocks: how many rows a table has, and the blocks of the file that hold some of
-- them. Small tables share blocks; rows that are only in the log are in none.
with blocks as (
    select unnest(list_prepend(block_id, coalesce(additional_block_ids, []))) as block
    from pragma_storage_info($table)
)

select
    (select count(*) from query_table($table)) as n_rows,
    count(distinct block) filter (where block >= 0) as n_blocks
from blocks
