-- reasons: one row per reason for which rows are invalid, with the places of the
-- first three of them.
with placed as (
    select
        chosen.reason,
        {
            'position': chosen.position,
            'source': chosen.source_file,
            'line': chosen.source_line
        } as place
    from chosen
    where chosen.reason is not null
)

select
    placed.reason,
    count(*) as n,
    min(placed.place, 3) as places
from placed
group by placed.reason
order by placed.reason
