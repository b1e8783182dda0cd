-- moment_strata: one row per stratum in the scope of I of some report row, by name:
-- what its cell is (type, tier, modality), how it is weighed, and in which report rows
-- it stands.
-- Source: INFERENCE.md §1.3.
select
    stratum_items.type,
    stratum_items.tier,
    stratum_items.modality,
    stratum_items.weighted_tier,
    list(scopes.report_row order by scopes.report_row) as report_rows
from stratum_items
inner join scopes
    on stratum_items.benchmark_id = scopes.benchmark_id
    and stratum_items.stratum = scopes.item_id
    and scopes.subset = 'index'
where stratum_items.benchmark_id in (select benchmark_id from runs)
group by
    stratum_items.stratum,
    stratum_items.type,
    stratum_items.tier,
    stratum_items.modality,
    stratum_items.weighted_tier
order by stratum_items.stratum
