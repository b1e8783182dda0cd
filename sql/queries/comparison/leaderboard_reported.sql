-- leaderboard_reported: one row per current published result of benchmark $benchmark,
-- over all its rows: $metric as reported, where its publisher gives it.
select
    model,
    revision,
    tags,
    case $metric
        when 'accuracy' then primary_accuracy
        when 'intelligence' then intelligence
        when 'coverage' then coverage
    end as value,
    requested_rows as n,
    coverage,
    primary_accuracy as accuracy,
    intelligence,
    result_sha256
from reported_lines
where
    benchmark_id = $benchmark
    and view = 'overall'
order by value desc nulls last, model asc, revision asc nulls first, tags asc
