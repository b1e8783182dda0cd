-- chance_rating_error: mean over the K levels of abs(level - gold) / (K - 1): what a
-- uniform guess errs by, in [0, 1]; gold from 0.
-- Source: SCORING.md §4 (score).
create or replace macro chance_rating_error(option_count, gold) as
    (gold * (gold + 1) + (option_count - 1 - gold) * (option_count - gold))
    / (2e0 * option_count * (option_count - 1));
