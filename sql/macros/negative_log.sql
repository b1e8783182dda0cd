-- negative_log: -ln(m / 2^n), for m in [1/2, 1] and n that mantissa and doublings give,
-- by + - x / alone, so that it has the same bits on every platform, within 2 units of
-- the last place of the true value.
-- m below sqrt(1/2) is doubled once more; then with s = (m - 1) / (m + 1) and z = s^2,
-- ln m = 2 s (1 + z/3 + z^2/5 + ...), here as the polynomial of fdlibm's e_log.c
-- (Sun Microsystems 1993), which is as near in this range.
-- Source: SCORING.md §3 (NLL), §7.
create or replace macro negative_log(m, n) as
    (n + cast(m < 0.7071067811865476e0 as double)) * 0.6931471805599453e0
    - log_series(
        (m + m * cast(m < 0.7071067811865476e0 as double) - 1e0)
        / (m + m * cast(m < 0.7071067811865476e0 as double) + 1e0)
    );
