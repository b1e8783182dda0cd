-- confidence_bin: bin (from 0) of a probability among equal-width bins, left-closed,
-- 1.0 in the last; null for null.
-- Source: SCORING.md §3 (ECE).
create or replace macro confidence_bin(probability, bins) as
    case
        when probability is not null
            then cast(least(floor(probability * bins), bins - 1) as integer)
    end;
