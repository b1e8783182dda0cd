-- faults: one row per staged prediction that its item makes a fault of the file.
-- Words where a level is asked are its name or the model's fault. $reads_levels: what
-- digits say of a level was read already. $allows_invalid: a number or a text where
-- the item wants something else is an invalid answer.
-- Reads staged_rows (a batch) and shapes (the items).
-- Source: SCORING.md §2; DESIGN.md §9.
with checked as (
    select
        staged_rows.source_file,
        staged_rows.source_line,
        staged_rows.item_id,
        shapes.type,
        staged_rows.given is not null as has_distribution,
        staged_rows.step_probabilities is not null as has_steps,
        coalesce(staged_rows.given_status, 'ok') as status,
        case
            when staged_rows.answer_text is not null then 'text'
            when staged_rows.answer_number is not null then 'number'
            when staged_rows.answer_flag is not null then 'flag'
            when staged_rows.answer_labels is not null then 'list'
        end as answer_kind,
        staged_rows.has_text_answer
        and shapes.type = 'score'
        and level_in_text(staged_rows.answer_text) is not null as has_level_as_text,
        shapes.type = 'score'
        and staged_rows.answer_text is not null
        and (
            $reads_levels or level_in_text(staged_rows.answer_text) is null
        ) as has_words_for_level
    from staged_rows
    left join shapes on staged_rows.shape = shapes.shape
)

select
    source_file,
    source_line,
    '$.item_id' as field,
    'no item ' || to_json(item_id) || ' in benchmark ' || $benchmark_id as message
from checked
where type is null
union all
select
    source_file,
    source_line,
    '$.answer' as field,
    case type
        when 'choice' then 'expected an option as a string'
        when 'noul' then 'expected "yes", "no", true or false'
        when 'score' then 'expected the level as a number, from 0'
        when 'multi_select' then 'expected a list of options'
    end || ', the item is of type ' || type || '; got '
    || case answer_kind
        when 'text' then 'a string'
        when 'number' then 'a number'
        when 'flag' then 'true or false'
        when 'list' then 'a list'
    end as message
from checked
where
    answer_kind is not null
    and not has_level_as_text
    and not has_words_for_level
    and not ($allows_invalid and answer_kind in ('text', 'number'))
    and case type
        when 'choice' then answer_kind <> 'text'
        when 'noul' then answer_kind not in ('text', 'flag')
        when 'score' then answer_kind <> 'number'
        when 'multi_select' then answer_kind <> 'list'
    end
union all
select
    source_file,
    source_line,
    '$.probabilities' as field,
    'a multi-select item takes none; steps go into step_probabilities' as message
from checked
where type = 'multi_select' and has_distribution
union all
select
    source_file,
    source_line,
    '$.step_probabilities' as field,
    'only a multi-select item takes them, the item is of type ' || type as message
from checked
where type <> 'multi_select' and has_steps
union all
select
    source_file,
    source_line,
    '$.item_id' as field,
    'an answer to a ' || type || ' item, a type this run declares unsupported'
        as message
from checked
where list_contains($unsupported_types, type) and status <> 'unsupported'
