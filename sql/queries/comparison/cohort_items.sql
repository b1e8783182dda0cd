-- cohort_items: one row per item of benchmark $benchmark that a cohort may hold: of
-- modality $modality unless that is null, no multi-select where a distribution is asked
-- for ($is_stated).
select
    item_id,
    type
from golden_items
where
    benchmark_id = $benchmark
    and ($modality is null or modality = $modality)
    and (type <> 'multi_select' or not $is_stated)
order by item_id
