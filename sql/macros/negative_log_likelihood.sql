-- negative_log_likelihood: -ln(max(p, floor)), in [0, -ln(floor)]; null for null.
-- Source: SCORING.md §3 (NLL).
create or replace macro negative_log_likelihood(probability, probability_floor) as
    case
        when probability is not null then -ln(greatest(probability, probability_floor))
    end;
