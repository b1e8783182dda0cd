-- contradictions: one row per ok answer that is another than the first ok answer
-- to its item, with the place of both.
-- Source: SCORING.md §2 (the same item twice).
with answers as (
    select
        judged.position,
        judged.item_id,
        judged.source_file,
        judged.source_line,
        judged.digest,
        first_value(judged) over (
            partition by judged.item_id
            order by judged.position
        ) as earliest
    from repeats
    inner join judged on repeats.position = judged.position
    where
        repeats.n_distinct_ok > 1
        and judged.status = 'ok'
)

select
    answers.item_id,
    answers.source_file,
    answers.source_line,
    answers.earliest.source_file as first_file,
    answers.earliest.source_line as first_line
from answers
where answers.digest <> answers.earliest.digest
order by answers.position
