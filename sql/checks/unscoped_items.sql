-- unscoped_items: one row per benchmark with items that no report row of its scoring
-- covers, as when no scope view has the scoring's name. A user's own scoring may leave
-- items out.
-- Source: SCORING.md §6.
with covered as (
    select distinct
        benchmark_id,
        item_id
    from scopes
)

select
    'benchmark ' || golden_items.benchmark_id as subject,
    count(*) || ' items are in no report row of ' || golden_items.scoring as detail
from golden_items
left join covered
    on golden_items.benchmark_id = covered.benchmark_id
    and golden_items.item_id = covered.item_id
where
    covered.item_id is null
    and golden_items.scoring not in (select scoring from scope_versions)
group by golden_items.benchmark_id, golden_items.scoring
