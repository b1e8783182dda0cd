-- index_weight: what the component of a type weighs in I (intelligence) or C
-- (calibration). A method's type weights act on I alone; C is the plain mean of its
-- components.
-- Source: METRICS.md (I/C formulas), SCORING.md §5.
create or replace macro index_weight(
    metric, kind, choice_weight, noul_weight, score_weight
) as
    case
        when metric = 'calibration' then 1e0
        when kind = 'choice' then choice_weight
        when kind = 'noul' then noul_weight
        else score_weight
    end;
