-- gate_rows: one row per item of report row $report_row of run $run_id and repeat: what
-- a rule can be about; null where the run has no such value. nll has the floor
-- $probability_floor.
select
    scored.item_id,
    scored.type,
    scored.status,
    references_there.item_id is not null as has_reference,
    scored.gold_probability as p_gold,
    scored.confidence,
    cast(scored.is_right as integer) as correct,
    negative_log_likelihood(scored.gold_probability, $probability_floor) as nll,
    scored.squared_error as brier,
    scored.total_variation as tvd,
    scored.ranked_probability_score as rps,
    scored.rating_error,
    scored.f1,
    predictions.latency_s,
    predictions.input_tokens,
    predictions.output_tokens,
    predictions.cost_usd
from scored
inner join scopes
    on scored.benchmark_id = scopes.benchmark_id
    and scored.item_id = scopes.item_id
    and scopes.subset = 'all'
left join scopes as references_there
    on scopes.benchmark_id = references_there.benchmark_id
    and scopes.report_row = references_there.report_row
    and scopes.item_id = references_there.item_id
    and references_there.subset = 'tvd'
left join predictions
    on scored.run_id = predictions.run_id
    and scored.item_id = predictions.item_id
    and scored.repeat = predictions.repeat
where
    scored.run_id = $run_id
    and scopes.report_row = $report_row
order by scored.item_id, scored.repeat
