-- chosen: one row per answered item: the row that is stored, with its attempts.
select
    judged.* replace (
        cast(coalesce(repeats.n_distinct, 1) as integer) as attempts
    )
from judged
left join repeats on judged.position = repeats.position
where coalesce(repeats.preference, 1) = 1
