-- usage: one row per run of the selection: how many of its rows state a latency
-- and a cost, the quartiles of the latency in seconds, the mean cost in US dollars.
-- Costs are added up as decimals: the same rows give the same sum in any order.
select
    predictions.run_id,
    count(predictions.latency_s) as n_latency,
    quantile_cont(predictions.latency_s, 0.25e0) as latency_low,
    quantile_cont(predictions.latency_s, 0.5e0) as latency_median,
    quantile_cont(predictions.latency_s, 0.75e0) as latency_high,
    count(predictions.cost_usd) as n_cost,
    cast(sum(cast(predictions.cost_usd as decimal(38, 15))) as double)
    / nullif(count(predictions.cost_usd), 0) as cost_mean
from predictions
where predictions.run_id in (select unnest($runs))
group by predictions.run_id
order by predictions.run_id
