-- stratum_classes: one row per stratum, basis and choice: what its items give to an
-- option by its label (basis class) or by its place from 0 (basis place), as exact sums
-- in units of 2^-53 over the items that have it: of the target, of its square, of what
-- it gives up to there and the square of that, and of 1 / K. least and most are the
-- smallest and largest target.
-- Source: SUITES.md §3 (chance, the constants of skills).
with based as (
    select
        *,
        case basis when 'class' then class else cast(place as varchar) end as choice
    from targets
    cross join (values ('class'), ('place')) as bases (basis)
)

select
    benchmark_id,
    stratum,
    type,
    basis,
    choice,
    max(place) as place,
    exact_sum(target) as target_units,
    exact_sum(target * target) as square_units,
    exact_sum(reached) as reached_units,
    exact_sum(reached * reached) as reached_square_units,
    exact_sum(1e0 / option_count) as chance_units,
    min(target) as least,
    max(target) as most
from based
group by benchmark_id, stratum, type, basis, choice
