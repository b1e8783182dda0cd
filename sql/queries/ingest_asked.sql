-- ingest_asked: one row per item of a benchmark: how it is answered.
select
    item_id,
    type,
    options
from items
where benchmark_id = $benchmark_id
