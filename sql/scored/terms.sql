-- terms: one row per run, item of its benchmark, repeat and rule: what the row adds to
-- each tally.
-- What a row has no value for is null, and so is what belongs to items of another type.
-- The columns term_... are each added up exactly, and a metric is their mean
-- (metric_kinds); index_term is what the row adds to the component of I of its type.
-- top_bin is the bin of the top label's probability, yes_bin of P(yes); is_clear is
-- whether a noul row is on gold's side of the thresholds, a row with a label only
-- without abstention.
-- Source: METRICS.md, SCORING.md §2 (label-only), §3, §4.
with ruled as (
    select
        scored.*,
        rules.rule,
        scored.status = 'ok' as is_ok,
        confidence_bin(scored.confidence, rules.bins) as top_bin,
        confidence_bin(scored.yes_probability, rules.bins) as yes_bin,
        case
            when scored.type <> 'noul' then null
            when scored.yes_probability is null then scored.is_right
            else threshold_right(
                scored.yes_probability,
                scored.gold_index = 1,
                rules.noul_low,
                rules.noul_high
            )
        end as is_clear,
        scored.squared_error as term_squared_error,
        scored.total_variation as term_total_variation,
        scored.ranked_probability_score as term_ranked_probability,
        scored.rating_error as term_rating_error,
        scored.f1 as term_f1,
        negative_log_likelihood(scored.gold_probability, rules.probability_floor)
            as term_likelihood
    from scored
    cross join rules
)

select
    *,
    case type
        when 'choice' then cast(is_right as double)
        when 'noul' then cast(is_clear as double)
        when 'score' then scaled_rating_error
    end as index_term
from ruled
