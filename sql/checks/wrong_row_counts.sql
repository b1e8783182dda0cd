-- wrong_row_counts: one row per run whose stored counts by status are not those of its
-- predictions.
-- Source: DESIGN.md §5.
with counted as (
    select
        run_id,
        count(*) as n_rows,
        count_if(status = 'ok') as n_ok,
        count_if(status = 'invalid') as n_invalid,
        count_if(status = 'unsupported') as n_unsupported,
        count_if(status = 'error') as n_error
    from predictions
    group by run_id
)

select
    'run ' || runs.run_id as subject,
    'stored ' || concat_ws(
        '/', runs.n_ok, runs.n_invalid, runs.n_unsupported, runs.n_error
    ) || ' rows ok/invalid/unsupported/error, there are ' || concat_ws(
        '/',
        coalesce(counted.n_ok, 0),
        coalesce(counted.n_invalid, 0),
        coalesce(counted.n_unsupported, 0),
        coalesce(counted.n_error, 0)
    ) as detail
from runs
left join counted on runs.run_id = counted.run_id
where
    runs.n_rows <> coalesce(counted.n_rows, 0)
    or runs.n_ok <> coalesce(counted.n_ok, 0)
    or runs.n_invalid <> coalesce(counted.n_invalid, 0)
    or runs.n_unsupported <> coalesce(counted.n_unsupported, 0)
    or runs.n_error <> coalesce(counted.n_error, 0)
