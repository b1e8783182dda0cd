-- golden_items: one row per item with its gold at the newest revision in golds.
-- gold_index and the options it points into count from 0. reference_kind says which distribution TVD
-- compares with: given, one_hot (Decision Bench; a generic benchmark without any reference), or none.
-- Source: SCORING.md §1, §3 (TVD), §6.
with latest as (
    select
        benchmark_id,
        item_id,
        max(gold_revision) as item_revision
    from golds
    group by benchmark_id, item_id
),

revisions as (
    select
        benchmark_id,
        max(gold_revision) as gold_revision
    from golds
    group by benchmark_id
)

select
    items.benchmark_id,
    revisions.gold_revision,
    benchmarks.scoring,
    items.item_id,
    items.type,
    items.modality,
    items.tier,
    items.family,
    items.domain,
    items.options,
    len(items.options) as option_count,
    golds.label_index as gold_index,
    golds.labels as gold_labels,
    golds.reference,
    case
        when benchmarks.scoring = 'decision-bench' then 'one_hot'
        when golds.reference is not null then 'given'
        when
            benchmarks.scoring = 'generic'
            and items.type = 'choice'
            and count(golds.reference) over (partition by items.benchmark_id) = 0
            then 'one_hot'
    end as reference_kind
from latest
inner join golds
    on latest.benchmark_id = golds.benchmark_id
    and latest.item_id = golds.item_id
    and latest.item_revision = golds.gold_revision
inner join items
    on latest.benchmark_id = items.benchmark_id
    and latest.item_id = items.item_id
inner join benchmarks on latest.benchmark_id = benchmarks.benchmark_id
inner join revisions on latest.benchmark_id = revisions.benchmark_id
