-- benchmarks: one row per benchmark that has a run in the selection.
select
    benchmark_id,
    scoring,
    items_sha256,
    gold_revision,
    n_items
from benchmark_states
where benchmark_id in (select benchmark_id from runs)
order by benchmark_id
