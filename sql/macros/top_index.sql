-- top_index: place (from 0) of the largest probability; exact ties go to the
-- lexicographically smallest option by code point, for ordered options to the lowest
-- level.
-- Source: SCORING.md §2 (top label).
create or replace macro top_index(options, probabilities, is_ordered) as
    case
        when
            list_contains(
                probabilities[
                    list_position(probabilities, list_max(probabilities)) + 1:
                ],
                list_max(probabilities)
            )
            and not is_ordered
            then list_position(
                options,
                list_min(list_filter(
                    options, lambda o, i: probabilities[i] = list_max(probabilities)
                ))
            )
        else list_position(probabilities, list_max(probabilities))
    end - 1;
