-- contradictions: one row per ok answer that is another than the first ok answer
-- to its item, or to this repeat of it, with the place of both.
-- Source: SCORING.md §2 (the same item twice).
with answers as (
    select
        judged.position,
        judged.item_id,
        judged.source_file,
        judged.source_line,
        judged.digest,
        first_value(judged) over (
            partition by judged.item_id, judged.repeat
            order by judged.position
        ) as earliest
    from doubled
    inner join judged on doubled.position = judged.position
    where
        doubled.n_distinct_ok > 1
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
