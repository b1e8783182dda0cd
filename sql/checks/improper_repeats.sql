-- improper_repeats: one row per run that asked less than once or more than a thousand
-- times, or whose predictions are of repeats that it did not ask for.
-- Source: SUITES.md §2.
select
    'run ' || runs.run_id as subject,
    case
        when runs.n_repeats < 1 or runs.n_repeats > 1000
            then 'asked ' || runs.n_repeats || ' times'
        else
            'a prediction of repeat ' || max(predictions.repeat) || ', of '
            || runs.n_repeats
    end as detail
from runs
left join predictions on runs.run_id = predictions.run_id
group by runs.run_id, runs.n_repeats
having
    runs.n_repeats < 1
    or runs.n_repeats > 1000
    or max(predictions.repeat) >= runs.n_repeats
