-- ingest_asked: one row per item of a benchmark, with its visible gold.
select
    gold_revision,
    item_id,
    type,
    options,
    gold_index,
    gold_labels
from golden_items
where benchmark_id = $benchmark_id
order by item_id
