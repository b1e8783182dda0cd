-- right_by_type: one row per type of items: how many ok answers it has, how many of
-- them are right, and the logarithm of the probability that guessing gets none right: a
-- guess of several options is one of 2 to the power of their number of sets.
-- Source: DOOR.md §5 (all wrong).
select
    type,
    count(*) as n,
    count(*) filter (where is_right) as n_right,
    sum(
        ln(
            1e0
            - 1e0 / case
                when type = 'multi_select' then pow(2e0, len(options))
                else len(options)
            end
        )
    ) as log_chance
from held_answers
where status = 'ok'
group by type
