-- doubled: creates doubled, one row per staged row of an item, or of a repeat of it,
-- with several, the best first: ok rows before others, then as the policy says; without
-- one by content, so that the order of files is no matter. Where a layout is resumed by
-- appending, the last line is the best, whatever its status.
-- Source: SCORING.md §2 (the same item twice); FORMATS.md §1.2 (Decision Bench).
create or replace temp table doubled as
with several as (
    select
        item_id,
        repeat
    from judged
    group by item_id, repeat
    having count(*) > 1
),

counted as (
    select
        judged.item_id,
        judged.repeat,
        count(*) as n,
        count(distinct judged.digest) as n_distinct,
        count(distinct judged.digest) filter (where judged.status = 'ok')
            as n_distinct_ok
    from several
    inner join judged
        on several.item_id = judged.item_id
        and several.repeat = judged.repeat
    group by judged.item_id, judged.repeat
)

select
    judged.position,
    counted.item_id,
    counted.n,
    counted.n_distinct,
    counted.n_distinct_ok,
    row_number() over (
        partition by counted.item_id, counted.repeat
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
from counted
inner join judged
    on counted.item_id = judged.item_id
    and counted.repeat = judged.repeat
