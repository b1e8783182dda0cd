-- is_top_tied: whether several options have exactly the largest probability; null for
-- null.
-- Source: SCORING.md §2 (top label).
create or replace macro is_top_tied(probabilities) as
    list_contains(
        probabilities[list_position(probabilities, list_max(probabilities)) + 1:],
        list_max(probabilities)
    );
