-- ingest_disagreements: one row per stored row whose own verdict is not ours.
-- Source: DESIGN.md §9 (JevBench Runner rows).
with verdicts as (
    select
        chosen.position,
        chosen.item_id,
        chosen.is_correct,
        chosen.status = 'ok'
        and case
            when asked.type = 'multi_select'
                then coalesce(same_set(chosen.labels, asked.gold_labels), false)
            else coalesce(
                asked.gold_index = coalesce(
                    top_index(
                        asked.options,
                        normalised(chosen.probabilities, chosen.renormalized),
                        asked.type = 'score'
                    ),
                    chosen.label_index
                ),
                false
            )
        end as is_right
    from chosen
    inner join asked on chosen.item_id = asked.item_id
    where chosen.is_correct is not null
)

select item_id
from verdicts
where is_correct <> is_right
order by position
