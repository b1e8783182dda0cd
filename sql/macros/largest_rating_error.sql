-- largest_rating_error: the largest possible abs(level - gold) / (K - 1), in [0.5, 1];
-- gold from 0.
-- Source: SCORING.md §4 (score, a row that is not ok).
create or replace macro largest_rating_error(option_count, gold) as
    greatest(gold, option_count - 1 - gold) / cast(option_count - 1 as double);
