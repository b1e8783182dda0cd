-- value_of_target: the mean value of the target, on a scale of one value a level: of
-- the reference, or where there is none of the gold level, from 0.
-- Source: SUITES.md §3 (value_mae).
create or replace macro value_of_target(reference, gold, level_scale) as
    case
        when reference is not null then mean_value(reference, level_scale)
        else level_scale[gold + 1]
    end;
