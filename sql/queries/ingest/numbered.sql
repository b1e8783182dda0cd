-- numbered: keeps judged with the number of each row's repeat, which its digest is of
-- too. Reads judged and repeat_values.
-- Source: SUITES.md §2 (identity, numbering).
create or replace temp table numbered as
select
    judged.* replace (
        repeat_values.repeat as repeat,
        repeated_digest(repeat_values.repeat, judged.digest) as digest
    )
from judged
inner join repeat_values on judged.repeat_name = repeat_values.value
order by judged.position
