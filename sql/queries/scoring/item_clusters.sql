-- item_clusters: one row per item in a scope of the selection, by item_id: what says
-- which items belong together.
-- Source: INFERENCE.md §2.
select
    golden_items.item_id,
    golden_items.family,
    golden_items.domain,
    golden_items."group"
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id
where strata.benchmark_id in (select benchmark_id from runs)
order by strata.item_id
