-- probability_sum: the sum of a distribution, doubles added in option order.
-- Source: SCORING.md §2.
create or replace macro probability_sum(probabilities) as
    list_reduce(probabilities, lambda total, p: total + p, 0e0);
