-- benchmark_states: one row per benchmark: its scoring, the newest gold revision and
-- how many items and runs it has.
-- Source: DESIGN.md §5.
with item_counts as (
    select
        benchmark_id,
        max(gold_revision) as gold_revision,
        count(*) as n_items
    from golden_items
    group by benchmark_id
),

run_counts as (
    select
        benchmark_id,
        count(*) as n_runs
    from runs
    group by benchmark_id
)

select
    benchmarks.benchmark_id,
    benchmarks.name,
    benchmarks.version,
    benchmarks.source,
    benchmarks.scoring,
    item_counts.gold_revision,
    coalesce(item_counts.n_items, 0) as n_items,
    coalesce(run_counts.n_runs, 0) as n_runs,
    benchmarks.seq
from benchmarks
left join item_counts on benchmarks.benchmark_id = item_counts.benchmark_id
left join run_counts on benchmarks.benchmark_id = run_counts.benchmark_id
