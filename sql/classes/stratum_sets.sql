-- stratum_sets: one row per stratum of items with one answer: how many they are, the
-- set of options that all of them have, and their positive class (of a noul yes, unless
-- the items say otherwise); null where they differ.
-- Source: SUITES.md §3 (no_common_options, f1).
with sets as (
    select
        strata.benchmark_id,
        strata.stratum,
        strata.type,
        option_set(golden_items.options, strata.type = 'score') as option_set,
        coalesce(
            golden_items.positive, case when strata.type = 'noul' then 'yes' end
        ) as positive,
        golden_items.option_count
    from strata
    inner join golden_items
        on strata.benchmark_id = golden_items.benchmark_id
        and strata.item_id = golden_items.item_id
    where strata.type <> 'multi_select'
)

select
    benchmark_id,
    stratum,
    type,
    count(*) as n_items,
    exact_sum(1e0 / option_count) as chance_units,
    case when min(option_set) = max(option_set) then min(option_set) end as option_set,
    case
        when min(positive) = max(positive) and count(positive) = count(*)
            then min(positive)
    end as positive
from sets
group by benchmark_id, stratum, type
