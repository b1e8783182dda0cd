-- likelihood_tallies: one row per run, stratum and probability floor that a method
-- sets.
-- Source: SCORING.md §3 (NLL).
with floors as (
    select distinct probability_floor
    from methods
)

select
    scored.run_id,
    strata.benchmark_id,
    strata.stratum,
    strata.type,
    floors.probability_floor,
    count(scored.gold_probability) as n,
    exact_sum(
        negative_log_likelihood(scored.gold_probability, floors.probability_floor)
    ) as likelihood_units
from scored
inner join strata
    on scored.benchmark_id = strata.benchmark_id
    and scored.item_id = strata.item_id
cross join floors
where scored.gold_probability is not null
group by
    scored.run_id,
    strata.benchmark_id,
    strata.stratum,
    strata.type,
    floors.probability_floor
