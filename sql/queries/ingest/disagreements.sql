-- disagreements: one row: how many answers have a verdict of their own, how many of
-- these say what we do not, how many have a gold of their own that is not ours; and the
-- first three places of both. A verdict on an exact tie, or by another gold, is none.
-- Source: DOOR.md §5 (verdict, target).
select
    count(*) filter (
        where is_correct is not null and not is_tied and not has_other_gold
    ) as n_verdicts,
    count(*) filter (
        where is_correct <> is_right and not is_tied and not has_other_gold
    ) as n_other_verdicts,
    count(*) filter (where has_other_gold) as n_other_golds,
    min({ 'file': source_file, 'line': source_line }, 3) filter (
        where is_correct <> is_right and not is_tied and not has_other_gold
    ) as verdicts,
    min({ 'file': source_file, 'line': source_line }, 3) filter (where has_other_gold)
        as golds
from held_answers
