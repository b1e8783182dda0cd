-- repeats: creates repeats, one row per staged row of an item with several, the
-- best first: ok rows before others, then as the policy says; without one by content,
-- so that the order of files is no matter. Where a layout is resumed by appending, the
-- last line is the best, whatever its status.
-- Source: SCORING.md §2 (the same item twice); FORMATS.md §1.2 (Decision Bench).
create or replace temp table repeats as
with several as (
    select item_id
    from judged
    group by item_id
    having count(*) > 1
),

repeated as (
    select
        judged.item_id,
        count(*) as n,
        count(distinct judged.digest) as n_distinct,
        count(distinct judged.digest) filter (where judged.status = 'ok')
            as n_distinct_ok
    from several
    inner join judged on several.item_id = judged.item_id
    group by judged.item_id
)

select
    judged.position,
    repeated.item_id,
    repeated.n,
    repeated.n_distinct,
    repeated.n_distinct_ok,
    row_number() over (
        partition by repeated.item_id
        order by
            case when $policy = 'resumed' then -judged.position end nulls last,
            list_position(['ok', 'invalid', 'unsupported', 'error'], judged.status),
            case $policy
                when 'first' then judged.position
                when 'last' then -judged.position
            end nulls last,
            judged.digest,
            judged.position
    ) as preference
from repeated
inner join judged on repeated.item_id = judged.item_id
