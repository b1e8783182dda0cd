-- noul_tallies: one row per run, stratum of noul items and pair of thresholds that a
-- method sets.
-- n_clear counts rows on gold's side of the thresholds; a row with a label only counts
-- without abstention.
-- Source: METRICS.md (I), SCORING.md §2 (label-only), §4 (noul).
with thresholds as (
    select distinct
        noul_low,
        noul_high
    from methods
)

select
    scored.run_id,
    strata.benchmark_id,
    strata.stratum,
    thresholds.noul_low,
    thresholds.noul_high,
    count(*) filter (
        where case
            when scored.yes_probability is null then scored.is_right
            else threshold_right(
                scored.yes_probability,
                scored.gold_index = 1,
                thresholds.noul_low,
                thresholds.noul_high
            )
        end
    ) as n_clear
from scored
inner join strata
    on scored.benchmark_id = strata.benchmark_id
    and scored.item_id = strata.item_id
cross join thresholds
where scored.type = 'noul'
group by
    scored.run_id,
    strata.benchmark_id,
    strata.stratum,
    thresholds.noul_low,
    thresholds.noul_high
