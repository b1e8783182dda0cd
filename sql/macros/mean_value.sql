-- mean_value: sum over levels of probability x value; null for null.
-- Source: SUITES.md §3 (value_mae).
create or replace macro mean_value(probabilities, level_scale) as
    list_reduce(
        list_transform(probabilities, lambda p, i: p * level_scale[i]),
        lambda total, x: total + x,
        0e0
    );
