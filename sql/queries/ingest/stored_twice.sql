-- stored_twice: the first item of which two of the rows to store (incoming) answer the
-- same repeat. No key of predictions would refuse them.
-- Source: SUITES.md §2, SCALE.md §3.
select item_id
from incoming
group by item_id, repeat
having count(*) > 1
order by item_id
limit 1
