-- held_answers: creates held_answers, one row per answer to be stored (held_rows), held
-- against the newest gold: whether it is right, whether its own verdict tells how it is
-- read (not on an exact tie, nor where a sum is off: others take these otherwise), and
-- whether the file's own gold (target) is another option than ours.
-- Source: SCORING.md §2; DOOR.md §5.
-- Golds are looked up for these rows alone: a view over all of them takes its time.
create or replace temp view held_answers as
with newest as (
    select
        golds.item_id,
        golds.label_index as gold_index,
        golds.labels as gold_labels
    from golds
    semi join held_rows on golds.item_id = held_rows.item_id
    where golds.benchmark_id = $benchmark_id
    qualify
        row_number() over (
            partition by golds.item_id
            order by golds.gold_revision desc
        ) = 1
),

golden as (
    select
        newest.*,
        items.type,
        items.options
    from newest
    inner join items
        on items.benchmark_id = $benchmark_id
        and newest.item_id = items.item_id
),

answered as (
    select
        held_rows.source_file,
        held_rows.source_line,
        held_rows.status,
        held_rows.reason,
        held_rows.is_correct,
        held_rows.target,
        golden.type,
        golden.options,
        golden.gold_index,
        golden.gold_labels,
        coalesce(is_top_tied(held_rows.probabilities), false) as is_tied,
        held_rows.status = 'ok'
        and case
            when golden.type = 'multi_select'
                then coalesce(
                    same_set(held_rows.labels, golden.gold_labels), false
                )
            else coalesce(
                golden.gold_index = coalesce(
                    top_index(
                        golden.options,
                        normalised(held_rows.probabilities),
                        golden.type = 'score'
                    ),
                    held_rows.label_index
                ),
                false
            )
        end as is_right,
        coalesce(
            list_position(
                golden.options,
                case
                    when golden.type <> 'noul' then held_rows.target[1]
                    when held_rows.target[1] = 'true' then 'yes'
                    when held_rows.target[1] = 'false' then 'no'
                    else held_rows.target[1]
                end
            ) - 1,
            case
                when golden.type = 'score'
                    then try_cast(held_rows.target[1] as integer)
            end
        ) as target_index
    from held_rows
    inner join golden on held_rows.item_id = golden.item_id
)

select
    *,
    is_correct is not null
    and not is_tied
    and coalesce(reason, 'none') not in ('sum', 'range') as is_witness,
    case
        when target is null then false
        when type = 'multi_select'
            then list_has_all(options, target) and not same_set(target, gold_labels)
        else coalesce(
            len(target) = 1
            and target_index between 0 and len(options) - 1
            and target_index <> gold_index,
            false
        )
    end as has_other_gold
from answered
