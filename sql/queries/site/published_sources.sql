-- published_sources: one row per current published result of $benchmark: where it
-- comes from, and what became of the rows that were asked for.
select
    result_sha256,
    requested_rows,
    ok_rows,
    unsupported_rows,
    error_rows,
    submitted_at,
    source_file,
    source_sha256,
    cast(meta as varchar) as meta
from reported_states
where
    benchmark_id = $benchmark
    and is_current
    and not is_retired
order by result_sha256
