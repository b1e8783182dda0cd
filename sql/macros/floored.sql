-- floored: max(p, floor); null for null, which `greatest` would leave out.
-- Source: SCORING.md §3 (NLL).
create or replace macro floored(probability, probability_floor) as
    case
        when probability < probability_floor then probability_floor else probability
    end;
