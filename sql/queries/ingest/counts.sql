-- counts: one row: what a run's files hold, and what of it is stored.
with dropped as (
    select
        coalesce(sum(n - 1), 0) as n_dropped,
        coalesce(sum(n_distinct - greatest(n_distinct_ok, 1)), 0) as retries
    from doubled
    where preference = 1
)

select
    count(*) as n_rows,
    count(*) filter (where status = 'ok') as ok,
    count(*) filter (where status = 'invalid') as invalid,
    count(*) filter (where status = 'unsupported') as unsupported,
    count(*) filter (where status = 'error') as error,
    cast(any_value(dropped.n_dropped - dropped.retries) as bigint) as duplicates,
    cast(any_value(dropped.retries) as bigint) as retries,
    count(*) filter (where renormalized) as renormalized,
    count(*) filter (where answer_mismatch) as mismatched
from chosen
cross join dropped
