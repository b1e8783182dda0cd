-- benchmarks_listed: one row per benchmark, with the names it had before, its id where
-- it is called otherwise among them; what is retired is there if $retired. incomplete
-- lists the report rows whose items are not those METRICS.md counts.
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
),

before as (
    select
        shown,
        list(name order by name) as names
    from name_states
    where kind = 'benchmark' and name <> shown
    group by shown
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
    benchmark_states.items_sha256,
    before.names as former_names,
    nullif(benchmark_states.is_retired, false) as is_retired
from benchmark_states
left join counted on benchmark_states.benchmark_id = counted.benchmark_id
left join incomplete on benchmark_states.benchmark_id = incomplete.benchmark_id
left join before on benchmark_states.name = before.shown
where $retired or not benchmark_states.is_retired
order by benchmark_states.benchmark_id
