-- reasons: one row per reason for which rows are invalid, with the first of
-- them.
select
    reason,
    count(*) as n,
    arg_min(
        { 'source': source_file, 'line': source_line, 'item_id': item_id }, position
    ) as example
from chosen
where reason is not null
group by reason
order by reason
