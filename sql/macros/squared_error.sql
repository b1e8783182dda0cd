-- squared_error: Brier score of one row, sum over options of (p - onehot)^2, in [0, 2];
-- gold from 0.
-- Source: SCORING.md §3 (Brier).
create or replace macro squared_error(probabilities, gold) as
    list_reduce(
        list_transform(
            probabilities,
            lambda p, i:
                (p - if(i = gold + 1, 1e0, 0e0)) * (p - if(i = gold + 1, 1e0, 0e0))
        ),
        lambda total, x: total + x,
        0e0
    );
