-- published_definitions: one row per metric and definition that the current
-- published results of $benchmark give it, with the results that do.
select
    reported_metrics.metric,
    reported_metrics.definition,
    list(
        distinct reported_states.result_sha256
        order by reported_states.result_sha256
    ) as result_ids
from reported_metrics
inner join reported_states
    on reported_metrics.result_sha256 = reported_states.result_sha256
where
    reported_states.benchmark_id = $benchmark
    and reported_states.is_current
    and not reported_states.is_retired
group by reported_metrics.metric, reported_metrics.definition
order by reported_metrics.metric, reported_metrics.definition
