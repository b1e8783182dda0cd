-- rows: one row per run, item in any scope of the selection and repeat: the answer,
-- its term in every metric, its bins of $bins; stratum says in which report rows and
-- subsets it stands.
select
    scored.run_id,
    scored.item_id,
    strata.stratum,
    scored.status,
    scored.reason,
    coalesce(array_to_string(scored.answer_labels, ' + '), scored.top_label) as answer,
    scored.confidence,
    scored.yes_probability,
    scored.gold_probability,
    scored.rating,
    scored.is_right,
    scored.squared_error,
    scored.total_variation,
    scored.ranked_probability_score,
    scored.scaled_rating_error,
    scored.f1,
    confidence_bin(scored.confidence, $bins) as top_bin,
    confidence_bin(scored.yes_probability, $bins) as yes_bin,
    scored.probabilities
from scored
inner join strata
    on scored.benchmark_id = strata.benchmark_id
    and scored.item_id = strata.item_id
order by scored.run_id, scored.item_id, scored.repeat
