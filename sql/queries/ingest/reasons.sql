-- reasons: one row per reason for which rows are invalid, with the first three of
-- them.
select
    reason,
    count(*) as n,
    list_transform(
        min(
            { 'position': position, 'source': source_file, 'line': source_line }, 3
        ),
        lambda place: { 'source': place.source, 'line': place.line }
    ) as places
from chosen
where reason is not null
group by reason
order by reason
