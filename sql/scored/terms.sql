-- terms: one row per run, item of its benchmark, repeat and rule: the row as the rule
-- reads it, and what it adds to each tally.
-- What a row has no value for is null, and so is what belongs to items of another type.
-- The columns term_... are each added up exactly, and a metric is their mean
-- (metric_kinds); index_term is what the row adds to the component of I of its type.
-- top_bin is the bin of the top label's probability, yes_bin of P(yes); is_clear is
-- whether a noul row is on gold's side of the thresholds, a row with a label only
-- without abstention. is_uniform is whether a row that is not ok has the uniform
-- distribution in proper scores.
-- Source: METRICS.md, SCORING.md §2 (label-only), §3, §4; SUITES.md §3.
with picked as (
    select
        scored.run_id,
        scored.benchmark_id,
        scored.gold_revision,
        scored.item_id,
        scored.repeat,
        scored.n_repeats,
        scored.type,
        scored.modality,
        scored.tier,
        scored.family,
        scored.domain,
        scored.status,
        scored.reason,
        scored.options,
        scored.option_count,
        scored.gold_index,
        scored.gold_labels,
        scored.reference,
        scored.reference_kind,
        scored.level_values,
        scored.probabilities,
        scored.answer_labels,
        scored.confidence,
        scored.gold_probability,
        scored.yes_probability,
        scored.rating,
        scored.squared_error,
        scored.total_variation,
        scored.ranked_probability_score,
        scored.rating_error,
        scored.scaled_rating_error,
        scored.f1,
        rules.rule,
        rules.noul_low,
        rules.noul_high,
        rules.probability_floor,
        rules.bins,
        case
            when not coalesce(scored.is_top_tied, false) then scored.top_index
            when scored.type = 'noul' and rules.noul_half = 'yes' then 1
            when scored.type = 'noul' and rules.noul_half = 'wrong' then null
            when rules.tie_rule = 'first' then scored.first_top_index
            else scored.top_index
        end as top_index,
        rules.failed_distribution = 'uniform'
        and scored.status <> 'ok'
        and scored.type <> 'multi_select'
        and not scored.is_declared as is_uniform
    from scored
    cross join rules
),

judged as (
    select
        *,
        case
            when type = 'multi_select' then f1 = 1e0
            else coalesce(top_index = gold_index, false)
        end as is_right,
        case
            when is_uniform then uniform_distribution(option_count)
            else probabilities
        end as proper_distribution,
        floored(
            case when is_uniform then 1e0 / option_count else gold_probability end,
            probability_floor
        ) as likelihood
    from picked
),

-- The steps of negative_log_likelihood.
doubled as (
    select
        *,
        doublings(likelihood) as n_doublings
    from judged
),

scaled as (
    select
        *,
        mantissa(likelihood, n_doublings) as scaled_likelihood
    from doubled
),

proper as (
    select
        *,
        case when is_uniform then 1e0 - 1e0 / option_count else squared_error end
            as proper_squared_error,
        case
            when type <> 'score' then null
            when is_uniform
                then ranked_probability_score(proper_distribution, gold_index)
            else ranked_probability_score
        end as proper_ranked_score
    from scaled
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
    answer_labels,
    confidence,
    gold_probability,
    yes_probability,
    rating,
    squared_error,
    total_variation,
    ranked_probability_score,
    rating_error,
    scaled_rating_error,
    f1,
    rule,
    is_right,
    is_uniform,
    status = 'ok' as is_ok,
    confidence_bin(confidence, bins) as top_bin,
    confidence_bin(yes_probability, bins) as yes_bin,
    case
        when type <> 'noul' then null
        when yes_probability is null then is_right
        else threshold_right(yes_probability, gold_index = 1, noul_low, noul_high)
    end as is_clear,
    proper_squared_error as term_squared_error,
    total_variation as term_total_variation,
    proper_ranked_score as term_ranked_probability,
    rating_error as term_rating_error,
    f1 as term_f1,
    negative_log(scaled_likelihood, n_doublings) as term_likelihood,
    case
        when type = 'multi_select' or reference is null
            then cast(is_right as double)
        else coalesce(probability_at(reference, top_index), 0e0)
    end as term_target_mass,
    case
        when reference is null then proper_squared_error
        else squared_distance(proper_distribution, reference)
    end as term_soft_squared_error,
    case
        when type <> 'score' then null
        when reference is null then proper_ranked_score
        else ranked_distance(proper_distribution, reference)
    end as term_soft_ranked_probability,
    case
        when type <> 'score' or rating is null then null
        when reference is null and level_values is null then scaled_rating_error
        else abs(
            value_said(probabilities, rating, scaled_values(level_values, option_count))
            - value_of_target(
                reference, gold_index, scaled_values(level_values, option_count)
            )
        )
    end as term_value_error,
    case type
        when 'choice' then cast(is_right as double)
        when 'noul' then cast(is_clear as double)
        when 'score' then scaled_rating_error
    end as index_term
from proper
