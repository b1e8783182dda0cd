-- threshold_right: whether P(yes) clears the threshold on gold's side (both ends
-- count); between the thresholds is an abstention, counted wrong.
-- Source: METRICS.md (I), SCORING.md §4 (noul).
create or replace macro threshold_right(
    yes_probability, is_gold_yes, noul_low, noul_high
) as
    case
        when is_gold_yes then yes_probability >= noul_high
        else yes_probability <= noul_low
    end;
