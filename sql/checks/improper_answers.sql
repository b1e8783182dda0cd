-- improper_answers: one row per prediction whose answer is not among its item's
-- options, or that is ok without any answer.
-- Source: SCORING.md §2.
with joined as (
    select
        predictions.run_id,
        predictions.item_id,
        predictions.status,
        predictions.label_index,
        predictions.labels,
        predictions.level,
        predictions.probabilities,
        items.type,
        items.options,
        len(items.options) as option_count
    from predictions
    inner join runs on predictions.run_id = runs.run_id
    inner join items
        on runs.benchmark_id = items.benchmark_id
        and predictions.item_id = items.item_id
),

judged as (
    select
        *,
        case
            when label_index not between 0 and option_count - 1
                then 'label ' || label_index || ' of ' || option_count || ' options'
            when not list_has_all(options, labels)
                then 'labels that are no options: ' || to_json(labels)
            when level is not null and type <> 'score' then 'a level, but no score item'
            when not (level >= 0e0 and level <= option_count - 1)
                then 'level ' || level || ' of ' || option_count || ' levels'
            when
                status = 'ok'
                and label_index is null
                and labels is null
                and level is null
                and probabilities is null
                then 'ok without an answer or a distribution'
        end as fault
    from joined
)

select
    'run ' || run_id || ', item ' || item_id as subject,
    fault as detail
from judged
where fault is not null
