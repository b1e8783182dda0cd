-- strays: one row per judged prediction that is invalid by its values, as it was
-- given, at most a thousand for each type and reason; n is how many there are.
-- Reads staged_rows, staged_key_sets and undigested (a group), and shapes (the items).
-- Source: DOOR.md §5.
select
    staged_rows.source_file,
    staged_rows.source_line,
    staged_rows.item_id,
    shapes.type,
    shapes.options,
    undigested.reason,
    staged_key_sets.keys,
    staged_rows.given,
    staged_rows.answer_text,
    staged_rows.answer_number,
    staged_rows.answer_labels,
    count(*) over (partition by shapes.type, undigested.reason) as n
from undigested
inner join staged_rows on undigested.position = staged_rows.position
inner join shapes on staged_rows.shape = shapes.shape
left join staged_key_sets on staged_rows.key_set = staged_key_sets.key_set
where undigested.reason in ('label_set', 'answer', 'range', 'sum')
qualify
    row_number() over (
        partition by shapes.type, undigested.reason
        order by undigested.position
    ) <= 1000
order by undigested.position
