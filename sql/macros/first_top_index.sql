-- first_top_index: place (from 0) of the first of the largest probabilities; null for
-- null.
-- Source: SCORING.md §2 (top label).
create or replace macro first_top_index(probabilities) as
    list_position(probabilities, list_max(probabilities)) - 1;
