-- exact_sum: the sum of a column of doubles in units of 2^-53; abs(x) < 1024, nulls are
-- left out.
-- The same rows give the same sum in any order, on any number of threads: the sum of a
-- bigint column is exact in 128 bits. It leaves as decimal(38, 0), which Parquet keeps.
-- Source: SCORING.md §7.
create or replace macro exact_sum(x) as
    cast(sum(cast(floor(x * 9007199254740992e0) as bigint)) as decimal(38, 0));
