-- strata: one row per item in a scope, with its stratum: the items of one type, tier
-- and modality that stand in the same places (report row, subset) share one, named
-- after its first item. largest_error is what a rating that is not ok errs by,
-- chance_rating_error what a uniform guess does.
-- Source: SCORING.md §6; INFERENCE.md §1.3 (cells); tallies are taken once per stratum
-- and added up.
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
    golden_items.tier,
    golden_items.modality,
    golden_items.weighted_tier,
    case
        when golden_items.type = 'score'
            then
                largest_rating_error(golden_items.option_count, golden_items.gold_index)
    end as largest_error,
    case
        when golden_items.type = 'score'
            then
                chance_rating_error(golden_items.option_count, golden_items.gold_index)
    end as chance_rating_error,
    1e0 / golden_items.option_count as chance,
    min(placed.item_id) over (
        partition by
            placed.benchmark_id,
            golden_items.type,
            golden_items.tier,
            golden_items.modality,
            placed.places
    ) as stratum
from placed
inner join golden_items
    on placed.benchmark_id = golden_items.benchmark_id
    and placed.item_id = golden_items.item_id
