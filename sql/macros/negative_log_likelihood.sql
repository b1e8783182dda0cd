-- negative_log_likelihood: -ln(max(p, floor)), in [0, -ln(floor)]; null for null.
-- terms takes the same steps one by one, which is planned and run sooner.
-- Source: SCORING.md §3 (NLL).
create or replace macro negative_log_likelihood(probability, probability_floor) as
    negative_log(
        mantissa(
            floored(probability, probability_floor),
            doublings(floored(probability, probability_floor))
        ),
        doublings(floored(probability, probability_floor))
    );
