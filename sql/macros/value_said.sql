-- value_said: the value that a rating expects, on a scale of one value a level: the
-- mean of its distribution; without one, that of the level, between two levels in
-- proportion.
-- Source: SUITES.md §3 (value_mae).
create or replace macro value_said(probabilities, rating, level_scale) as
    case
        when probabilities is not null then mean_value(probabilities, level_scale)
        else
            level_scale[cast(floor(rating) as integer) + 1]
            + (rating - floor(rating)) * (
                level_scale[cast(ceil(rating) as integer) + 1]
                - level_scale[cast(floor(rating) as integer) + 1]
            )
    end;
