-- repeat_rights: one row per run that asked several times, stratum, rule and repeat:
-- how many of its items this repeat got right.
-- Source: SUITES.md §2.
select
    terms.run_id,
    strata.stratum,
    terms.rule,
    terms.repeat,
    count(*) filter (where terms.is_right) as n_right
from terms
inner join strata
    on terms.benchmark_id = strata.benchmark_id
    and terms.item_id = strata.item_id
where terms.n_repeats > 1
group by terms.run_id, strata.stratum, terms.rule, terms.repeat
