-- targets: one row per item with one answer in a scope, and option: what gold gives to
-- it (the reference, else 1 to the gold option), and to it and those before it.
-- Source: SUITES.md §3.
select
    strata.benchmark_id,
    strata.stratum,
    strata.type,
    golden_items.item_id,
    golden_items.option_count,
    unnest(range(golden_items.option_count)) as place,
    unnest(golden_items.options) as class,
    unnest(
        target_of(
            golden_items.reference, golden_items.gold_index, golden_items.option_count
        )
    ) as target,
    unnest(
        cumulated(
            target_of(
                golden_items.reference,
                golden_items.gold_index,
                golden_items.option_count
            )
        )
    ) as reached
from strata
inner join golden_items
    on strata.benchmark_id = golden_items.benchmark_id
    and strata.item_id = golden_items.item_id
where strata.type <> 'multi_select'
