-- repeat_tallies: one row per run that asked several times, stratum and rule: of how
-- many items an answer has what a metric averages (n_items_...), two are ok, they say
-- different labels, all are right, one is; and the squares of right answers, summed.
-- Source: SUITES.md §2.
select
    repeated_items.run_id,
    repeated_items.stratum,
    repeated_items.rule,
    count(*) filter (where repeated_items.n_stated > 0) as n_items_stated,
    count(*) filter (where repeated_items.n_proper > 0) as n_items_proper,
    count(*) filter (where repeated_items.n_compared > 0) as n_items_compared,
    count(*) filter (where repeated_items.n_rated > 0) as n_items_rated,
    count(*) filter (where repeated_items.n_ok >= 2) as n_twice_ok,
    count(*) filter (where repeated_items.is_flipped) as n_flipped,
    count(*) filter (where repeated_items.n_right = runs.n_repeats) as n_always_right,
    count(*) filter (where repeated_items.n_right > 0) as n_once_right,
    cast(sum(repeated_items.n_right * repeated_items.n_right) as bigint)
        as n_right_squares
from repeated_items
inner join runs on repeated_items.run_id = runs.run_id
group by repeated_items.run_id, repeated_items.stratum, repeated_items.rule
