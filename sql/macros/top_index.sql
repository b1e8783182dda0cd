-- top_index: place (from 0) of the largest probability; exact ties go to the
-- lexicographically smallest option by code point, for ordered options to the lowest
-- level.
-- Source: SCORING.md §2 (top label).
create or replace macro top_index(options, probabilities, is_ordered) as
    case
        when is_top_tied(probabilities) and not is_ordered
            then tied_top_index(options, probabilities)
        else first_top_index(probabilities)
    end;
