-- units: a double in whole units of 2^-53, rounded down, as exact_sum adds them up;
-- abs(x) < 1024.
-- Source: SCORING.md §7.
create or replace macro units(x) as
    cast(floor(x * 9007199254740992e0) as bigint);
