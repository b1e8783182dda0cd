-- scored: one row per run, item of its benchmark and repeat; an answer without a
-- prediction is missing. A tie at the top goes to the lexicographically smallest label
-- here; what a method's rules make of a row instead is in terms.
-- probabilities is the distribution as scored, null unless the row is ok and has one;
-- what a row lacks is null. gold_index, top_index and rating count from 0; rating_error
-- is in levels, scaled_rating_error divided by K - 1, the largest possible where the
-- row is not ok.
-- Source: SCORING.md §2, §3, §4.
with given as (
    select
        run_id,
        item_id,
        repeat,
        status,
        reason,
        case when status = 'ok' then label_index end as answer_index,
        case when status = 'ok' then labels end as answer_labels,
        case when status = 'ok' then level end as answer_level,
        case when status = 'ok' then normalised(probabilities) end as probabilities
    from predictions
),

-- What a distribution says by itself, before its item is looked up: lists are slow to
-- carry along.
stated as (
    select
        *,
        top_probability(probabilities) as confidence,
        first_top_index(probabilities) as first_top_index,
        -- A distribution has two largest values only up to a half.
        case
            when top_probability(probabilities) < 0.51e0
                then is_top_tied(probabilities)
        end as is_top_tied
    from given
),

-- Every item is asked as often as the run asked any.
repeated as (
    select
        run_id,
        benchmark_id,
        n_repeats,
        unsupported_types,
        unnest(range(n_repeats)) as repeat
    from runs
),

asked as (
    select
        runs.run_id,
        runs.n_repeats,
        golden_items.*,
        stated.repeat,
        stated.status,
        stated.reason,
        stated.answer_index,
        stated.answer_labels,
        stated.answer_level,
        stated.probabilities,
        stated.confidence,
        stated.first_top_index,
        stated.is_top_tied,
        coalesce(
            stated.status <> 'ok'
            and array_contains(runs.unsupported_types, golden_items.type),
            false
        ) as is_declared
    from stated
    inner join runs on stated.run_id = runs.run_id
    inner join golden_items
        on runs.benchmark_id = golden_items.benchmark_id
        and stated.item_id = golden_items.item_id
    union all
    select
        repeated.run_id,
        repeated.n_repeats,
        golden_items.*,
        repeated.repeat,
        'missing' as status,
        null as reason,
        null as answer_index,
        null as answer_labels,
        null as answer_level,
        null as probabilities,
        null as confidence,
        null as first_top_index,
        null as is_top_tied,
        array_contains(repeated.unsupported_types, golden_items.type) as is_declared
    from repeated
    inner join golden_items on repeated.benchmark_id = golden_items.benchmark_id
    anti join predictions
        on repeated.run_id = predictions.run_id
        and golden_items.item_id = predictions.item_id
        and repeated.repeat = predictions.repeat
),

judged as (
    select
        *,
        case
            when is_top_tied and type = 'choice'
                then tied_top_index(options, probabilities)
            when probabilities is not null then first_top_index
            when type = 'score' then nearest_level(answer_level)
            else answer_index
        end as top_index,
        probability_at(probabilities, gold_index) as gold_probability,
        case when type = 'noul' then probability_at(probabilities, 1) end
            as yes_probability,
        case
            when type = 'score' and probabilities is not null
                then expected_rating(probabilities)
            when type = 'score' then answer_level
        end as rating,
        case
            when type = 'multi_select'
                then coalesce(set_f1(answer_labels, gold_labels), 0e0)
        end as f1
    from asked
)

select
    run_id,
    benchmark_id,
    gold_revision,
    item_id,
    repeat,
    n_repeats,
    type,
    modality,
    tier,
    family,
    domain,
    status,
    reason,
    options,
    option_count,
    gold_index,
    gold_labels,
    reference,
    reference_kind,
    level_values,
    probabilities,
    top_index,
    options[top_index + 1] as top_label,
    first_top_index,
    is_top_tied,
    answer_labels,
    confidence,
    gold_probability,
    yes_probability,
    rating,
    case
        when type = 'multi_select' then f1 = 1e0
        else coalesce(top_index = gold_index, false)
    end as is_right,
    squared_error(probabilities, gold_index) as squared_error,
    case reference_kind
        when 'one_hot' then 1e0 - gold_probability
        when 'given' then total_variation(probabilities, reference)
    end as total_variation,
    case
        when type = 'score' then ranked_probability_score(probabilities, gold_index)
    end as ranked_probability_score,
    abs(rating - gold_index) as rating_error,
    case
        when type = 'score' then coalesce(
            abs(rating - gold_index) / (option_count - 1),
            largest_rating_error(option_count, gold_index)
        )
    end as scaled_rating_error,
    f1,
    is_declared
from judged
