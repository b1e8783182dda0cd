-- benchmark: one row if the benchmark is known: its scoring, newest gold
-- revision, runs and items.
select
    benchmarks.scoring,
    (
        select max(gold_revisions.gold_revision)
        from gold_revisions
        where gold_revisions.benchmark_id = benchmarks.benchmark_id
    ) as gold_revision,
    (
        select count(*)
        from runs
        where runs.benchmark_id = benchmarks.benchmark_id
    ) as n_runs,
    (
        select count(*)
        from items
        where items.benchmark_id = benchmarks.benchmark_id
    ) as n_items
from benchmarks
where benchmarks.benchmark_id = $benchmark_id
