-- gate_rows: one row per item of report row $report_row of run $run_id and repeat: what
-- a rule can be about, by the one method there is; null where the run has no such
-- value. nll has the floor $probability_floor.
select
    terms.item_id,
    terms.type,
    terms.status,
    references_there.item_id is not null as has_reference,
    terms.gold_probability as p_gold,
    terms.confidence,
    cast(terms.is_right as integer) as correct,
    negative_log_likelihood(terms.gold_probability, $probability_floor) as nll,
    terms.squared_error as brier,
    terms.total_variation as tvd,
    terms.ranked_probability_score as rps,
    terms.rating_error,
    terms.f1,
    predictions.latency_s,
    predictions.input_tokens,
    predictions.output_tokens,
    predictions.cost_usd
from terms
inner join scopes
    on terms.benchmark_id = scopes.benchmark_id
    and terms.item_id = scopes.item_id
    and scopes.subset = 'all'
left join scopes as references_there
    on scopes.benchmark_id = references_there.benchmark_id
    and scopes.report_row = references_there.report_row
    and scopes.item_id = references_there.item_id
    and references_there.subset = 'tvd'
left join predictions
    on terms.run_id = predictions.run_id
    and terms.item_id = predictions.item_id
    and terms.repeat = predictions.repeat
where
    terms.run_id = $run_id
    and scopes.report_row = $report_row
order by terms.item_id, terms.repeat
