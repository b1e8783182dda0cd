-- gold_revisions_listed: one row per gold revision of benchmark $benchmark: when, why,
-- how many items there were then, and how many it added or changed.
with ordered as (
    select
        gold_revision,
        item_id,
        label_index,
        labels,
        reference,
        lag(gold_revision) over item_golds is null as is_added,
        lag(label_index) over item_golds as label_index_before,
        lag(labels) over item_golds as labels_before,
        lag(reference) over item_golds as reference_before
    from golds
    where benchmark_id = $benchmark
    window item_golds as (
        partition by item_id
        order by gold_revision
    )
),

counted as (
    select
        gold_revision,
        count_if(is_added) as n_added,
        count_if(
            not is_added
            and (
                label_index is distinct from label_index_before
                or labels is distinct from labels_before
            )
        ) as n_gold_changed,
        count_if(
            not is_added and reference is distinct from reference_before
        ) as n_reference_changed,
        count_if(
            not is_added and reference is not null and reference_before is null
        ) as n_reference_added
    from ordered
    group by gold_revision
)

select
    gold_revisions.gold_revision,
    ingests.ingested_at as revised_at,
    gold_revisions.reason,
    cast(
        sum(coalesce(counted.n_added, 0)) over (order by gold_revisions.gold_revision)
        as bigint
    ) as n_items,
    coalesce(counted.n_added, 0) as n_added,
    coalesce(counted.n_gold_changed, 0) as n_gold_changed,
    coalesce(counted.n_reference_changed, 0) as n_reference_changed,
    coalesce(counted.n_reference_added, 0) as n_reference_added
from gold_revisions
inner join ingests on gold_revisions.seq = ingests.seq
left join counted on gold_revisions.gold_revision = counted.gold_revision
where gold_revisions.benchmark_id = $benchmark
order by gold_revisions.gold_revision
