-- option_set: what two items must share for their options to be the same classes: the
-- labels in any order, of ordered options the levels in theirs; a JSON array.
-- Source: SUITES.md §3 (no_common_options).
create or replace macro option_set(options, is_ordered) as
    cast(
        to_json(case when is_ordered then options else list_sort(options) end)
        as varchar
    );
