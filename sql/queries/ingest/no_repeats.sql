-- no_repeats: creates repeats without a row: rows in order of their items have none.
create or replace temp table repeats (
    position bigint,
    item_id varchar,
    n bigint,
    n_distinct bigint,
    n_distinct_ok bigint,
    preference bigint
)
