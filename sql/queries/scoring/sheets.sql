-- sheets: one row per benchmark that has items in a scope: the digest of its sheet,
-- which is all that tallies take of the items: type, options, values, gold, reference,
-- what TVD compares with, stratum, and what chance gets. Names, tiers, texts and
-- weights are none of it.
-- Source: SCALE.md §1.
select
    strata.benchmark_id,
    digest_of(
        sha256(cast(json_array(
            strata.item_id,
            golden_items.type,
            golden_items.options,
            golden_items.level_values,
            golden_items.gold_index,
            golden_items.gold_labels,
            golden_items.reference,
            golden_items.reference_kind,
            strata.stratum,
            strata.chance,
            strata.chance_rating_error,
            strata.largest_error
        ) as varchar)),
        strata.item_id
    ) as sheet_sha256
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id
where strata.benchmark_id in (select benchmark_id from runs)
group by strata.benchmark_id
