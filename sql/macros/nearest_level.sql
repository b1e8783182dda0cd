-- nearest_level: the level nearest to a rating, a rating halfway between two goes down.
-- Source: SCORING.md §2 (label-only prediction).
create or replace macro nearest_level(rating) as
    cast(ceil(rating - 0.5e0) as integer);
