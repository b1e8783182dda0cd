-- published: one row per view of each current published result of $benchmark: its
-- numbers as reported.
select
    result_sha256,
    view,
    n,
    is_partial,
    intelligence,
    intelligence_supported,
    primary_accuracy,
    accuracy,
    ece,
    nll,
    coverage,
    latency_s
from reported_lines
where benchmark_id = $benchmark
order by view <> 'overall', view, model, revision nulls first, tags
