-- moments: one row per method, run that asked once and stratum in the scope of I, by
-- stratum: how many items, and over these the sums of the value that I averages (right,
-- clear, the error of a rating), of what chance gives, of their squares and their
-- product, in units of 2^-53. A value that is 0 or 1 is its own square.
-- Source: INFERENCE.md §1.3.
with counted as (
    select
        *,
        9007199254740992
        * cast(
            case type when 'choice' then n_right when 'noul' then n_clear end as hugeint
        ) as true_units
    from tallies
    where
        stratum in (
            select scopes.item_id
            from scopes
            where scopes.subset = 'index'
        )
        and run_id in (
            select runs.run_id
            from runs
            where runs.n_repeats = 1
        )
)

select
    methods.method_id,
    counted.run_id,
    counted.n_items,
    coalesce(true_units, cast(scaled_rating_error_units as hugeint)) as value_units,
    coalesce(true_units, cast(scaled_rating_square_units as hugeint)) as square_units,
    cast(
        if(true_units is null, scaled_rating_product_units, right_chance_units)
        as hugeint
    ) as product_units,
    cast(
        if(true_units is null, chance_rating_error_units, chance_units) as hugeint
    ) as chance_units,
    cast(
        if(true_units is null, chance_rating_square_units, chance_square_units)
        as hugeint
    ) as chance_square_units
from counted
inner join method_rules as methods on counted.rule = methods.rule
order by methods.method_id, counted.run_id, counted.stratum
