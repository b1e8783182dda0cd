-- suite_rounded: x to so many digits after the point, to reproduce a board that rounds
-- before it goes on; 0 digits leave x as it is.
-- Source: SUITES.md §4 (round).
create or replace macro suite_rounded(x, digits) as
    case when digits = 0 then x else round(x, digits) end;
