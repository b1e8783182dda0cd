-- mantissa: x in (0, 1] doubled n times, exactly. A shifted 1 is a power of two on
-- every platform; only floors below 2^-62 go further.
-- Source: SCORING.md §3 (NLL), §7.
create or replace macro mantissa(x, n) as
    case
        when n < 62 then x * cast(1::bigint << cast(n as bigint) as double)
        else x * 4611686018427387904e0 * pow(2e0, n - 62)
    end;
