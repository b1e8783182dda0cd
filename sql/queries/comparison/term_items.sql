-- term_items: one row per item in a scope of the selection, by item_id: what it is
-- resampled within (type, tier, modality) and tallied in (type, weighted_tier,
-- stratum).
select
    strata.item_id,
    golden_items.type,
    golden_items.tier,
    golden_items.modality,
    golden_items.weighted_tier,
    strata.stratum
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id
where strata.benchmark_id in (select benchmark_id from runs)
order by strata.item_id
