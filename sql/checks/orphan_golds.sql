-- orphan_golds: one row per gold of an item or a revision that is not stored.
-- Source: DESIGN.md §5.
select
    'benchmark ' || golds.benchmark_id || ', item ' || golds.item_id as subject,
    case
        when items.item_id is null then 'no such item'
        else 'no gold revision ' || golds.gold_revision
    end as detail
from golds
left join items
    on golds.benchmark_id = items.benchmark_id
    and golds.item_id = items.item_id
left join gold_revisions
    on golds.benchmark_id = gold_revisions.benchmark_id
    and golds.gold_revision = gold_revisions.gold_revision
where items.item_id is null or gold_revisions.benchmark_id is null
