-- normalised: the distribution that is scored: as returned, or divided by its sum where
-- that is not within 0.001 of 1. The row's own flag is not asked: it is no content.
-- Source: SCORING.md §2.
create or replace macro normalised(probabilities) as
    case
        when is_rescaled(probabilities) then list_transform(
            probabilities, lambda p: p / probability_sum(probabilities)
        )
        else probabilities
    end;
