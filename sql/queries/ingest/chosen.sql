-- chosen: one row per answered item, or repeat of one: the row that is stored, with its
-- attempts.
select
    judged.* replace (
        cast(coalesce(doubled.n_distinct, 1) as integer) as attempts
    )
from judged
left join doubled on judged.position = doubled.position
where coalesce(doubled.preference, 1) = 1
