-- preview: the rows of the first lines of a file, as they would be stored.
select * exclude (digest, is_correct, target, position, repeat_name)
from incoming
where source_file = $source_file
order by
    source_line,
    item_id,
    repeat
limit $shown
