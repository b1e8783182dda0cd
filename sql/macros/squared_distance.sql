-- squared_distance: sum over options of (p - t)^2, in [0, 2]; null for null.
-- Source: SUITES.md §3 (soft_brier).
create or replace macro squared_distance(probabilities, target) as
    list_reduce(
        list_transform(
            probabilities, lambda p, i: (p - target[i]) * (p - target[i])
        ),
        lambda total, x: total + x,
        0e0
    );
