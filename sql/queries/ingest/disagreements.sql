-- disagreements: one row: how many answers have a verdict of their own that differs
-- from ours; how many verdicts tell how the file is read, and how many of these differ;
-- how many have a gold of their own that is not ours; and the first three places.
-- Source: DOOR.md §5 (verdict, target).
select
    count(*) filter (where is_correct <> is_right) as n_other,
    count(*) filter (where is_witness and not has_other_gold) as n_witnesses,
    count(*) filter (where is_witness and not has_other_gold and is_correct <> is_right)
        as n_against,
    count(*) filter (where has_other_gold) as n_other_golds,
    min({ 'file': source_file, 'line': source_line }, 3) filter (
        where is_correct <> is_right
    ) as others,
    min({ 'file': source_file, 'line': source_line }, 3) filter (
        where is_witness and not has_other_gold and is_correct <> is_right
    ) as against,
    min({ 'file': source_file, 'line': source_line }, 3) filter (where has_other_gold)
        as golds
from held_answers
