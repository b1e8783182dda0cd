-- tied_top_index: place (from 0) of the lexicographically smallest by code point of the
-- options with the largest probability.
-- Source: SCORING.md §2 (top label).
create or replace macro tied_top_index(options, probabilities) as
    list_position(
        options,
        list_min(list_filter(
            options, lambda o, i: probabilities[i] = list_max(probabilities)
        ))
    ) - 1;
