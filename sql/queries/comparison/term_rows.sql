-- term_rows: one row per run, item in a scope of the selection and repeat, by these: of
-- what it adds to each tally of its stratum the columns $columns, counts as 0 or 1,
-- doubles in units of 2^-53. top_gap and yes_gap are what it adds to stated minus true
-- in its bin; bin -1 is no bin. rating_error_each is not to be summed. $rule is a
-- method's.
-- Source: the addends of binned_tallies and stratum_items.
with addends as (
    select
        terms.run_id,
        terms.item_id,
        terms.repeat,
        cast(terms.is_ok as bigint) as n_ok,
        cast(terms.is_right as bigint) as n_right,
        cast(terms.confidence is not null as bigint) as n_stated,
        cast(terms.term_squared_error is not null as bigint) as n_proper,
        cast(terms.total_variation is not null as bigint) as n_compared,
        cast(terms.rating_error is not null as bigint) as n_rated,
        cast(coalesce(terms.is_clear, false) as bigint) as n_clear,
        units(1e0 / terms.option_count) as chance,
        coalesce(units(terms.scaled_rating_error), 0) as scaled_rating_error,
        coalesce(units(terms.scaled_rating_error), 0) as rating_error_each,
        case
            when terms.type = 'score'
                then units(chance_rating_error(terms.option_count, terms.gold_index))
            else 0
        end as chance_rating_error,
        coalesce(units(columns('^term_(.*)')), 0) as "sum_\1",
        coalesce(terms.top_bin, -1) as top_bin,
        coalesce(units(terms.confidence), 0)
        - case when terms.is_right then units(1e0) else 0 end as top_gap,
        coalesce(terms.yes_bin, -1) as yes_bin,
        coalesce(units(terms.yes_probability), 0)
        - case when terms.gold_index = 1 then units(1e0) else 0 end as yes_gap
    from terms
    inner join strata
        on terms.benchmark_id = strata.benchmark_id
        and terms.item_id = strata.item_id
    where terms.rule = $rule
)

select $columns
from addends
order by run_id, item_id, repeat
