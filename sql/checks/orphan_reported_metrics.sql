-- orphan_reported_metrics: one row per published result without its model or benchmark,
-- and per published number without its result.
-- Source: DESIGN.md §5.
select
    'result ' || reported_results.result_sha256 as subject,
    case
        when models.model_id is null then 'no model ' || reported_results.model_id
        else 'no benchmark ' || reported_results.benchmark_id
    end as detail
from reported_results
left join models on reported_results.model_id = models.model_id
left join benchmarks on reported_results.benchmark_id = benchmarks.benchmark_id
where models.model_id is null or benchmarks.benchmark_id is null
union all
select
    'result ' || reported_metrics.result_sha256 as subject,
    'no such result, but its ' || reported_metrics.metric || ' in view '
    || reported_metrics.view as detail
from reported_metrics
left join reported_results
    on reported_metrics.result_sha256 = reported_results.result_sha256
where reported_results.result_sha256 is null
