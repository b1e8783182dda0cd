-- top_index: place (from 0) of the largest probability; exact ties go to the
-- lexicographically smallest option by code point, for ordered options to the lowest
-- level.
-- Source: SCORING.md §2 (top label).
create or replace macro top_index(options, probabilities, is_ordered) as
    case
        when is_ordered
            or list_position(probabilities, list_max(probabilities))
            = 1 + len(probabilities)
            - list_position(list_reverse(probabilities), list_max(probabilities))
            then list_position(probabilities, list_max(probabilities))
        else list_position(
            options,
            list_min(list_filter(
                options, lambda o, i: probabilities[i] = list_max(probabilities)
            ))
        )
    end - 1;
