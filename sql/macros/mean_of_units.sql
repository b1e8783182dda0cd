-- mean_of_units: total / n as a double, for a total in units of 2^-53 (see exact_sum);
-- null when n is 0.
-- The total is split at 2^53 because decimal(38, 0) to double is not correctly rounded
-- beyond 2^64; both parts are exact, so that their sum is rounded once.
-- Source: SCORING.md §7.
create or replace macro mean_of_units(total, n) as
    (
        cast(cast(total as hugeint) >> 53 as double)
        + cast(cast(total as hugeint) & 9007199254740991 as double) / 9007199254740992e0
    ) / nullif(n, 0);
