-- not_doubled: creates doubled without a row: rows in order of their items, and of the
-- repeats of these, have none.
create or replace temp table doubled (
    position bigint,
    item_id varchar,
    n bigint,
    n_distinct bigint,
    n_distinct_ok bigint,
    preference bigint
)
