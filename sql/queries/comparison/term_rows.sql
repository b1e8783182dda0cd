-- term_rows: one row per run and item in a scope of the selection, by run and item:
-- what it adds to each tally of its stratum, counts as 0 or 1, doubles in units of
-- 2^-53. top_gap and yes_gap are what it adds to stated minus true in its bin; bin -1
-- is no bin. $noul_low, $noul_high, $bins and $probability_floor are a method's.
-- Source: the addends of tallies, noul_tallies, likelihood_tallies and bins.
select
    cast(scored.status = 'ok' as bigint) as n_ok,
    cast(scored.is_right as bigint) as n_right,
    cast(scored.confidence is not null as bigint) as n_stated,
    cast(scored.total_variation is not null as bigint) as n_compared,
    cast(scored.rating_error is not null as bigint) as n_rated,
    cast(case
        when scored.type <> 'noul' then false
        when scored.yes_probability is null then scored.is_right
        else threshold_right(
            scored.yes_probability, scored.gold_index = 1, $noul_low, $noul_high
        )
    end as bigint) as n_clear,
    units(1e0 / scored.option_count) as chance,
    coalesce(units(scored.squared_error), 0) as squared_error,
    coalesce(units(scored.total_variation), 0) as total_variation,
    coalesce(units(scored.ranked_probability_score), 0) as ranked_probability,
    coalesce(units(scored.rating_error), 0) as rating_error,
    coalesce(units(scored.scaled_rating_error), 0) as scaled_rating_error,
    case
        when scored.type = 'score'
            then units(chance_rating_error(scored.option_count, scored.gold_index))
        else 0
    end as chance_rating_error,
    coalesce(units(scored.f1), 0) as f1,
    coalesce(
        units(negative_log_likelihood(scored.gold_probability, $probability_floor)), 0
    ) as likelihood,
    case
        when scored.confidence is null then -1
        else confidence_bin(scored.confidence, $bins)
    end as top_bin,
    coalesce(units(scored.confidence), 0)
    - case when scored.is_right then units(1e0) else 0 end as top_gap,
    case
        when scored.yes_probability is null then -1
        else confidence_bin(scored.yes_probability, $bins)
    end as yes_bin,
    coalesce(units(scored.yes_probability), 0)
    - case when scored.gold_index = 1 then units(1e0) else 0 end as yes_gap
from scored
inner join strata
    on scored.benchmark_id = strata.benchmark_id
    and scored.item_id = strata.item_id
order by scored.run_id, scored.item_id
