-- doublings: how often x in (0, 1] is doubled to come into (1/2, 1]. Next to a power of
-- two it may be one less or more on another platform, which negative_log evens out.
-- Source: SCORING.md §3 (NLL), §7.
create or replace macro doublings(x) as floor(-log2(x));
