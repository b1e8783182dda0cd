-- exact_sum: the sum of a column of doubles in units of 2^-53; abs(x) < 1024, nulls are
-- left out.
-- The same rows give the same sum in any order, on any number of threads.
-- Source: SCORING.md §7.
create or replace macro exact_sum(x) as
    sum(cast(cast(floor(x * 9007199254740992e0) as bigint) as decimal(20, 0)));
