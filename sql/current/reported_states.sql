-- reported_states: one row per stored result that somebody else published, with its
-- model's name of now; the one stored last holds its name, which is benchmark, model,
-- revision and tags.
-- Source: DESIGN.md §5 (reported_metrics).
select
    reported_results.result_sha256,
    reported_results.benchmark_id,
    reported_results.model_id,
    coalesce(model_names.shown, models.name) as model,
    models.revision,
    reported_results.tags,
    reported_results.seq = max(reported_results.seq) over (
        partition by
            reported_results.benchmark_id,
            coalesce(model_names.shown, models.name),
            models.revision,
            reported_results.tags
    ) as is_current,
    reported_results.requested_rows,
    reported_results.ok_rows,
    reported_results.unsupported_rows,
    reported_results.error_rows,
    reported_results.submitted_at,
    reported_results.source_file,
    reported_results.source_sha256,
    reported_results.meta,
    reported_results.seq,
    coalesce(model_names.is_retired, false)
    or coalesce(benchmark_names.is_retired, false) as is_retired
from reported_results
inner join models on reported_results.model_id = models.model_id
left join name_states as model_names
    on model_names.kind = 'model'
    and models.name = model_names.name
left join name_states as benchmark_names
    on benchmark_names.kind = 'benchmark'
    and reported_results.benchmark_id = benchmark_names.name
