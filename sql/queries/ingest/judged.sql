-- judged: one row per staged prediction as it is stored: status, reason, flags.
-- returned holds what could not be aligned, as JSON.
-- Source: SCORING.md §2.
with judged as (
    select
        *,
        given is not null as has_distribution,
        case
            when coalesce(given_status, 'ok') = 'invalid' then 'reported'
            when coalesce(given_status, 'ok') <> 'ok' then null
            when distribution_fault is not null then distribution_fault
            when given is not null then null
            when not has_answer then 'no_answer'
            when label_index is null and labels is null then 'answer'
        end as reason,
        case
            when has_answer and label_index is null and labels is null
                then '"answer":' || cast(
                    coalesce(
                        to_json(answer_labels),
                        to_json(answer_level),
                        to_json(answer_text),
                        to_json(answer_number)
                    ) as varchar
                )
        end as stray_answer,
        case
            when given is not null and probabilities is null
                then '"probabilities":' || cast(
                    case
                        when stray_keys is null then to_json(given)
                        else to_json(
                            map_from_entries(list_sort(list_zip(stray_keys, given)))
                        )
                    end as varchar
                )
        end as stray_distribution
    from ingest_resolved
),

flagged as (
    select
        *,
        case
            when coalesce(given_status, 'ok') <> 'ok' then given_status
            when reason is not null then 'invalid'
            else 'ok'
        end as status,
        case
            when coalesce(stray_answer, stray_distribution) is not null
                then '{' || concat_ws(',', stray_answer, stray_distribution) || '}'
        end as returned
    from judged
),

rescaled as (
    select
        *,
        coalesce(
            status = 'ok' and deviation > 0.001e0 + 1e-9, false
        ) as renormalized
    from flagged
)

select
    position,
    item_id,
    0 as repeat,
    repeat as repeat_name,
    status,
    reason,
    label_index,
    labels,
    level,
    probabilities,
    returned,
    step_probabilities,
    renormalized,
    status = 'ok'
    and has_distribution
    and has_answer
    and coalesce(
        label_index <> top_index(
            options, normalised(probabilities), type = 'score'
        ),
        true
    ) as answer_mismatch,
    latency_s,
    input_tokens,
    output_tokens,
    cost_usd,
    error,
    meta,
    source_file,
    source_line,
    is_correct,
    target,
    1 as attempts
from rescaled
