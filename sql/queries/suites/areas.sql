-- areas: one row per entrant and area of the selected suite.
with entrants as (
    select distinct
        entrant,
        model,
        revision,
        label
    from suite_entries
)

select
    entrants.model,
    entrants.revision,
    entrants.label,
    suite_areas.area,
    suite_areas.weight,
    suite_areas.value,
    suite_areas.n_members,
    suite_areas.n_missing
from suite_areas
inner join entrants on suite_areas.entrant = entrants.entrant
order by suite_areas.entrant, suite_areas.area
