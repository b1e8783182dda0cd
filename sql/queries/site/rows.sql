-- rows: one row per run, item in any scope of the selection and repeat: the answer by
-- $method, its term in every metric, its bins of $bins; stratum says in which report
-- rows and subsets it stands.
select
    terms.run_id,
    terms.item_id,
    strata.stratum,
    terms.status,
    terms.reason,
    coalesce(array_to_string(terms.answer_labels, ' + '), terms.top_label) as answer,
    terms.confidence,
    terms.yes_probability,
    terms.gold_probability,
    terms.rating,
    terms.is_right,
    terms.squared_error,
    terms.total_variation,
    terms.ranked_probability_score,
    terms.scaled_rating_error,
    terms.f1,
    confidence_bin(terms.confidence, $bins) as top_bin,
    confidence_bin(terms.yes_probability, $bins) as yes_bin,
    terms.probabilities
from terms
inner join strata
    on terms.benchmark_id = strata.benchmark_id
    and terms.item_id = strata.item_id
where
    terms.rule in (
        select method_rules.rule
        from method_rules
        where method_rules.method_id = $method
    )
order by terms.run_id, terms.item_id, terms.repeat
