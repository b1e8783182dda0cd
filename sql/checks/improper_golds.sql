-- improper_golds: one row per gold that is not among its item's options, or whose
-- reference is no distribution over them.
-- Source: SCORING.md §1, §2.
with joined as (
    select
        golds.benchmark_id,
        golds.gold_revision,
        golds.item_id,
        golds.label_index,
        golds.labels,
        golds.reference,
        items.type,
        items.options,
        len(items.options) as option_count
    from golds
    inner join items
        on golds.benchmark_id = items.benchmark_id
        and golds.item_id = items.item_id
),

judged as (
    select
        *,
        case
            when type = 'multi_select' and labels is null then 'no set of labels'
            when type <> 'multi_select' and label_index is null then 'no label'
            when label_index >= option_count then 'label ' || label_index
            when not list_has_all(options, labels) then 'labels ' || to_json(labels)
            when len(reference) <> option_count
                then len(reference) || ' reference values'
            when list_count(reference) < len(reference) then 'a null reference value'
            when list_min(reference) < 0e0 or list_max(reference) > 1e0
                then 'a reference value outside 0..1'
            when not abs(probability_sum(reference) - 1e0) <= 1e-6
                then 'a reference that sums to ' || probability_sum(reference)
        end as fault
    from joined
)

select
    'benchmark ' || benchmark_id || ', item ' || item_id as subject,
    'gold revision ' || gold_revision || ' has ' || fault || ' for '
    || option_count || ' options' as detail
from judged
where fault is not null
