-- ambiguous: one row per staged prediction whose form has two meanings, as it was
-- given, at most a thousand each: a list for yes or no (noul_list), and a number for
-- levels that are called by other numbers (numeral_levels).
-- Reads staged_rows (a group) and shapes (the items).
-- Source: DOOR.md §5.
with formed as (
    select
        staged_rows.position,
        staged_rows.source_file,
        staged_rows.source_line,
        staged_rows.item_id,
        shapes.type,
        shapes.options,
        staged_rows.given,
        staged_rows.answer_text,
        staged_rows.answer_number,
        case
            when
                shapes.type = 'noul'
                and staged_rows.given is not null
                and staged_rows.key_set is null
                and $asks_noul_order
                then 'noul_list'
            when
                shapes.type = 'score'
                and list_contains($numeral_shapes, shapes.shape)
                and coalesce(
                    staged_rows.answer_number, level_in_text(staged_rows.answer_text)
                ) is not null
                then 'numeral_levels'
        end as form
    from staged_rows
    inner join shapes on staged_rows.shape = shapes.shape
)

select
    source_file,
    source_line,
    item_id,
    type,
    options,
    form as reason,
    cast(null as varchar[]) as keys,
    given,
    answer_text,
    answer_number,
    cast(null as varchar[]) as answer_labels,
    count(*) over (partition by form) as n
from formed
where form is not null
qualify row_number() over (partition by form order by position) <= 1000
order by position
