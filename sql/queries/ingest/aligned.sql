-- aligned: one row per staged prediction of a known item, its values in the
-- order of the item's options (null where its label set is another one) and its answer
-- as a label or a level. A text that is no number names a level by its name.
-- Reads staged_rows (a batch), alignments, and shapes (the items).
-- Source: SCORING.md §2 (distribution, noul distribution, score keys).
select
    staged_rows.position,
    staged_rows.item_id,
    staged_rows.repeat,
    staged_rows.given_status,
    staged_rows.given,
    staged_rows.answer_text,
    staged_rows.answer_number,
    staged_rows.answer_labels,
    staged_rows.step_probabilities,
    staged_rows.latency_s,
    staged_rows.input_tokens,
    staged_rows.output_tokens,
    staged_rows.cost_usd,
    staged_rows.error,
    staged_rows.meta,
    staged_rows.source_file,
    staged_rows.source_line,
    staged_rows.is_correct,
    staged_rows.target,
    shapes.type,
    shapes.options,
    len(shapes.options) as option_count,
    alignments.stray_keys,
    case
        when alignments.is_in_order then staged_rows.given
        when
            staged_rows.key_set is null
            and len(staged_rows.given) = len(shapes.options)
            then staged_rows.given
        when alignments.is_yes_alone
            then [1e0 - staged_rows.given[1], staged_rows.given[1]]
        when alignments.positions is not null
            then list_transform(
                alignments.positions, lambda place: staged_rows.given[place]
            )
    end as probabilities,
    case
        when shapes.type = 'score'
            then coalesce(
                staged_rows.answer_number,
                case
                    when level_in_text(staged_rows.answer_text) is null
                        then list_position(shapes.options, staged_rows.answer_text) - 1
                    when staged_rows.has_text_answer
                        then level_in_text(staged_rows.answer_text)
                end
            ) + 0e0
    end as answer_level,
    case
        when staged_rows.answer_flag then 'yes'
        when not staged_rows.answer_flag then 'no'
        when staged_rows.has_text_answer and shapes.type = 'noul'
            then case staged_rows.answer_text
                when 'true' then 'yes'
                when 'false' then 'no'
                else staged_rows.answer_text
            end
        else staged_rows.answer_text
    end as answer_label,
    staged_rows.answer_text is not null
    or staged_rows.answer_number is not null
    or staged_rows.answer_flag is not null
    or staged_rows.answer_labels is not null as has_answer
from staged_rows
inner join shapes on staged_rows.shape = shapes.shape
left join alignments
    on staged_rows.key_set = alignments.key_set
    and staged_rows.shape = alignments.shape
