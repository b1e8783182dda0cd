-- reported_listed: one row per current published result that has the view.
select
    benchmark_id,
    model,
    revision,
    tags,
    origin,
    view,
    n,
    intelligence,
    intelligence_supported,
    primary_accuracy,
    accuracy,
    ece,
    nll,
    latency_s,
    coverage,
    is_partial,
    requested_rows,
    ok_rows,
    unsupported_rows,
    error_rows,
    submitted_at,
    result_sha256
from reported_lines
where
    view = $view
    and coalesce($benchmark, benchmark_id) = benchmark_id
order by benchmark_id, model, revision nulls first, tags
