-- strata: one row per item in a scope, with its stratum: the items of one type and
-- weighted tier that stand in the same places (report row, subset) share one, named
-- after its first item. largest_error_units is what a rating that is not ok errs by.
-- Source: SCORING.md §6; tallies are taken once per stratum and added up.
with placed as (
    select
        benchmark_id,
        item_id,
        string_agg(
            report_row || ' ' || subset, ', ' order by report_row, subset
        ) as places
    from scopes
    group by benchmark_id, item_id
)

select
    placed.benchmark_id,
    placed.item_id,
    golden_items.type,
    golden_items.weighted_tier,
    case
        when golden_items.type = 'score'
            then
                units(
                    largest_rating_error(
                        golden_items.option_count, golden_items.gold_index
                    )
                )
    end as largest_error_units,
    min(placed.item_id) over (
        partition by
            placed.benchmark_id,
            golden_items.type,
            golden_items.weighted_tier,
            placed.places
    ) as stratum
from placed
inner join golden_items
    on placed.benchmark_id = golden_items.benchmark_id
    and placed.item_id = golden_items.item_id
