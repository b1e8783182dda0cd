-- value_constants: one row per report row with ratings: how far, on average, the values
-- of the targets lie from their median, on each item's scale from 0 to 1.
-- Source: SUITES.md §3 (mae_skill).
with valued as (
    select
        scopes.benchmark_id,
        scopes.report_row,
        value_of_target(
            golden_items.reference,
            golden_items.gold_index,
            scaled_values(golden_items.level_values, golden_items.option_count)
        ) as target_value
    from scopes
    inner join golden_items
        on scopes.benchmark_id = golden_items.benchmark_id
        and scopes.item_id = golden_items.item_id
    where
        scopes.subset = 'rps'
        and golden_items.type = 'score'
),

middles as (
    select
        benchmark_id,
        report_row,
        median(target_value) as middle
    from valued
    group by benchmark_id, report_row
)

select
    valued.benchmark_id,
    valued.report_row,
    mean_of_units(exact_sum(abs(valued.target_value - middles.middle)), count(*))
        as value_constant
from valued
inner join middles
    on valued.benchmark_id = middles.benchmark_id
    and valued.report_row = middles.report_row
group by valued.benchmark_id, valued.report_row
