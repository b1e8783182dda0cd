-- disagreements: one row: how many incoming rows say of themselves what we do
-- not.
-- Source: DESIGN.md §9 (JevBench Runner rows).
with verdicts as (
    select
        incoming.is_correct,
        incoming.status = 'ok'
        and case
            when golden_items.type = 'multi_select'
                then coalesce(
                    same_set(incoming.labels, golden_items.gold_labels), false
                )
            else coalesce(
                golden_items.gold_index = coalesce(
                    top_index(
                        golden_items.options,
                        normalised(incoming.probabilities, incoming.renormalized),
                        golden_items.type = 'score'
                    ),
                    incoming.label_index
                ),
                false
            )
        end as is_right
    from incoming
    inner join golden_items
        on golden_items.benchmark_id = $benchmark_id
        and incoming.item_id = golden_items.item_id
    where incoming.is_correct is not null
)

select count(*) as n
from verdicts
where is_correct <> is_right
