-- is_rescaled: whether a distribution is divided by its sum before it is scored: the
-- sum, taken in option order, is not within 0.001 of 1; null for null. Only sums near
-- the bound are taken twice.
-- Source: SCORING.md §2.
create or replace macro is_rescaled(probabilities) as
    case
        when abs(list_sum(probabilities) - 1e0) > 0.0009e0
            then abs(probability_sum(probabilities) - 1e0) > 0.001e0 + 1e-9
        when probabilities is not null then false
    end;
