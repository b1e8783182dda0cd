-- strata: one row per item in a scope, with its stratum: the items of one type and weighted tier
-- that stand in the same places (report row, subset) share one, named after its first item.
-- weighted_tier is the tier where tier weights apply: scored like JevBench, or a generic benchmark whose
-- every item has a tier.
-- Source: SCORING.md §4 (tier weights); tallies are taken once per stratum and added up.
with placed as (
    select
        benchmark_id,
        item_id,
        string_agg(
            report_row || ' ' || subset, ', ' order by report_row, subset
        ) as places
    from scopes
    group by benchmark_id, item_id
),

tiered as (
    select
        benchmark_id,
        scoring = 'jevbench' or (scoring = 'generic' and count(*) = count(tier))
            as is_weighted
    from golden_items
    group by benchmark_id, scoring
)

select
    placed.benchmark_id,
    placed.item_id,
    golden_items.type,
    case when tiered.is_weighted then golden_items.tier end as weighted_tier,
    min(placed.item_id) over (
        partition by
            placed.benchmark_id,
            golden_items.type,
            case when tiered.is_weighted then golden_items.tier end,
            placed.places
    ) as stratum
from placed
inner join golden_items
    on placed.benchmark_id = golden_items.benchmark_id
    and placed.item_id = golden_items.item_id
inner join tiered on placed.benchmark_id = tiered.benchmark_id
