-- resolved: one row per staged prediction, its answer as the columns it is
-- stored in and what is wrong with its distribution (label_set, range, sum).
-- Source: SCORING.md §2 (sum, answer, expected rating, multi-select).
with measured as (
    select
        *,
        abs(probability_sum(probabilities) - 1e0) as deviation,
        case
            when type = 'score' and answer_level between 0 and option_count - 1
                then answer_level
        end as level,
        case
            when type = 'multi_select' and list_has_all(options, answer_labels)
                then distinct_labels(answer_labels)
        end as labels
    from ingest_aligned
)

select
    *,
    case
        when type = 'score' then nearest_level(level)
        when type <> 'multi_select' then list_position(options, answer_label) - 1
    end as label_index,
    case
        when given is null then null
        when probabilities is null then 'label_set'
        when list_min(probabilities) < 0e0 or list_max(probabilities) > 1e0
            then 'range'
        when deviation > 0.02e0 + 1e-9 then 'sum'
    end as distribution_fault
from measured
