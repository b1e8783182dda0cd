-- benchmark_states: one row per benchmark: its name of now, its scoring, the newest
-- gold revision, the digest of its items with that gold, and how many items and runs
-- it has.
-- Source: DESIGN.md §5.
with item_counts as (
    select
        golden_items.benchmark_id,
        max(golden_items.gold_revision) as gold_revision,
        count(*) as n_items,
        digest_of(
            item_digest(
                golden_items.item_id, golden_items.type, golden_items.modality,
                golden_items.tier, golden_items.family, golden_items.domain,
                golden_items.options, items.meta, golden_items.gold_index,
                golden_items.gold_labels, golden_items.reference,
                items."group", items.level_values, items.positive
            ),
            golden_items.item_id
        ) as items_sha256
    from golden_items
    inner join items
        on golden_items.benchmark_id = items.benchmark_id
        and golden_items.item_id = items.item_id
    group by golden_items.benchmark_id
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
    coalesce(name_states.shown, benchmarks.name) as name,
    benchmarks.version,
    benchmarks.source,
    benchmarks.scoring,
    item_counts.gold_revision,
    coalesce(item_counts.n_items, 0) as n_items,
    item_counts.items_sha256,
    coalesce(run_counts.n_runs, 0) as n_runs,
    benchmarks.seq,
    coalesce(name_states.is_retired, false) as is_retired
from benchmarks
left join name_states
    on name_states.kind = 'benchmark'
    and benchmarks.benchmark_id = name_states.name
left join item_counts on benchmarks.benchmark_id = item_counts.benchmark_id
left join run_counts on benchmarks.benchmark_id = run_counts.benchmark_id
