-- benchmarks_listed: one row per benchmark; incomplete lists the report rows whose
-- items are not those METRICS.md counts.
with counted as (
    select
        benchmark_id,
        count_if(is_current) as n_runs
    from run_states
    group by benchmark_id
),

incomplete as (
    select
        benchmark_id,
        list(distinct report_row order by report_row) as report_rows
    from incomplete_counts
    group by benchmark_id
)

select
    benchmark_states.benchmark_id,
    benchmark_states.name,
    benchmark_states.version,
    benchmark_states.scoring,
    benchmark_states.n_items,
    benchmark_states.gold_revision,
    coalesce(counted.n_runs, 0) as n_runs,
    incomplete.report_rows as incomplete,
    benchmark_states.source,
    benchmark_states.items_sha256
from benchmark_states
left join counted on benchmark_states.benchmark_id = counted.benchmark_id
left join incomplete on benchmark_states.benchmark_id = incomplete.benchmark_id
order by benchmark_states.benchmark_id
