-- normalised: the distribution that is scored: as returned, or divided by its sum where
-- the row is flagged renormalized.
-- Source: SCORING.md §2.
create or replace macro normalised(probabilities, renormalized) as
    case
        when renormalized then list_transform(
            probabilities,
            lambda p: p / list_reduce(probabilities, lambda total, q: total + q, 0e0)
        )
        else probabilities
    end;
