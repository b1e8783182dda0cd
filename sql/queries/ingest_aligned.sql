-- ingest_aligned: one row per staged prediction of a known item, its values in the
-- order of the item's options (null where its label set is another one) and its answer
-- as a label or a level.
-- Reads staged_rows and staged_key_sets (a batch), asked and shapes (the items).
-- Source: SCORING.md §2 (distribution, noul distribution, score keys).
with joined as (
    select
        staged_rows.*,
        shapes.shape,
        shapes.type,
        shapes.options,
        len(shapes.options) as option_count
    from staged_rows
    inner join asked on staged_rows.item_id = asked.item_id
    inner join shapes on asked.shape = shapes.shape
),

-- Where each option's value stands among the keys; null where the label sets differ.
alignments as (
    select
        pairs.key_set,
        pairs.shape,
        staged_key_sets.keys,
        case
            when len(staged_key_sets.keys) <> len(shapes.options) then null
            when
                shapes.type = 'score' and list_has_all(
                    staged_key_sets.keys,
                    list_transform(
                        range(len(shapes.options)), lambda l: cast(l as varchar)
                    )
                )
                then
                    list_transform(
                        range(len(shapes.options)),
                        lambda l: list_position(
                            staged_key_sets.keys, cast(l as varchar)
                        )
                    )
            when list_has_all(staged_key_sets.keys, shapes.options)
                then list_transform(
                    shapes.options, lambda o: list_position(staged_key_sets.keys, o)
                )
        end as positions,
        shapes.type = 'noul' and staged_key_sets.keys = ['yes'] as is_yes_alone
    from (select distinct
        key_set,
        shape
    from joined
    where key_set is not null) as pairs
    inner join staged_key_sets on pairs.key_set = staged_key_sets.key_set
    inner join shapes on pairs.shape = shapes.shape
)

select
    joined.*,
    case
        when joined.key_set is null
            then case
                when len(joined.given) = joined.option_count then joined.given
            end
        when alignments.is_yes_alone
            then [1e0 - joined.given[1], joined.given[1]]
        when alignments.positions is not null
            then list_transform(
                alignments.positions, lambda place: joined.given[place]
            )
    end as probabilities,
    case
        when joined.type = 'score'
            then coalesce(joined.answer_number, level_in_text(joined.answer_text)) + 0e0
    end as answer_level,
    case
        when joined.answer_flag then 'yes'
        when not joined.answer_flag then 'no'
        when joined.has_text_answer and joined.type = 'noul'
            then case joined.answer_text
                when 'true' then 'yes'
                when 'false' then 'no'
                else joined.answer_text
            end
        else joined.answer_text
    end as answer_label,
    joined.answer_text is not null
    or joined.answer_number is not null
    or joined.answer_flag is not null
    or joined.answer_labels is not null as has_answer,
    case when alignments.positions is null then alignments.keys end as stray_keys
from joined
left join alignments
    on joined.key_set = alignments.key_set
    and joined.shape = alignments.shape
