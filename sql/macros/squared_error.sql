-- squared_error: Brier score of one row, sum over options of (p - onehot)^2, in [0, 2];
-- gold from 0.
-- Source: SCORING.md §3 (Brier).
create or replace macro squared_error(probabilities, gold) as
    list_sum(list_transform(probabilities, lambda p: p * p))
    - probabilities[gold + 1] * probabilities[gold + 1]
    + (1e0 - probabilities[gold + 1]) * (1e0 - probabilities[gold + 1]);
