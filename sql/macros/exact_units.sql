-- exact_units: a double in whole units of 2^-53, so that sums of it are exact.
-- Sums of units do not depend on the order of rows, the number of threads or the engine, and sums of
-- parts add up. Domain: abs(x) < 1024; rounded down, so off by less than 1.2e-16.
-- Source: SCORING.md §7.
create or replace macro exact_units(x) as
    cast(cast(floor(x * 9007199254740992e0) as bigint) as decimal(20, 0));
