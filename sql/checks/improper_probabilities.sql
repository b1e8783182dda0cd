-- improper_probabilities: one row per prediction whose distribution is not aligned with
-- its item's options, or stored as ok though it is none, or flagged wrongly.
-- Source: SCORING.md §2.
with joined as (
    select
        predictions.run_id,
        predictions.item_id,
        predictions.status,
        predictions.renormalized,
        predictions.probabilities,
        items.type,
        len(items.options) as option_count,
        abs(probability_sum(predictions.probabilities) - 1e0) as deviation
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
            when renormalized and (probabilities is null or status <> 'ok')
                then 'flagged renormalized without a scored distribution'
            when probabilities is null then null
            when type = 'multi_select' then 'a distribution for a multi-select item'
            when len(probabilities) <> option_count
                then len(probabilities) || ' values for ' || option_count || ' options'
            when list_count(probabilities) < len(probabilities) then 'a null value'
            when status <> 'ok' then null
            when not (list_min(probabilities) >= 0e0 and list_max(probabilities) <= 1e0)
                then 'ok with a value outside 0..1'
            when not deviation <= 0.02e0 + 1e-9
                then 'ok with a sum that is off by ' || deviation
            when renormalized <> (deviation > 0.001e0 + 1e-9)
                then 'flag renormalized wrong for a sum that is off by ' || deviation
        end as fault
    from joined
)

select
    'run ' || run_id || ', item ' || item_id as subject,
    fault as detail
from judged
where fault is not null
