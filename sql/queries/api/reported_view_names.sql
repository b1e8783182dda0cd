-- reported_view_names: one row per view that a current published result has.
select distinct view
from reported_lines
order by view
