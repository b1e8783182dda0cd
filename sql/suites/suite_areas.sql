-- suite_areas: one row per version of a suite, entrant and area: the weighted mean of
-- its members, in the members' unit; null where one is missing and the suite does not
-- skip it. Values are added in the order of the members.
-- Source: SUITES.md §4 (areas).
with summed as (
    select
        suite,
        version,
        entrant,
        area,
        any_value(area_weight) as weight,
        any_value(missing) as missing,
        count(*) as n_members,
        count(*) filter (where is_missing) as n_missing,
        count(*) - count(value) as n_absent,
        list_sum(list(weight * value order by member)) as total,
        list_sum(list(weight order by member) filter (where value is not null))
            as weights
    from suite_counted
    where area is not null
    group by suite, version, entrant, area
)

select
    suite,
    version,
    entrant,
    area,
    weight,
    case
        when n_absent = 0 or missing = 'skip' then total / weights
    end as value,
    n_members,
    n_missing
from summed
