-- suite_points: one row per version of a suite, complete entrant and member: its Borda
-- points, 100 (N - r) / (N - 1) with r the mean rank of equal values, among N complete
-- entrants; null where N is 1.
-- Source: SUITES.md §4 (borda).
with ranked as (
    select
        suite,
        version,
        entrant,
        member,
        rank() over same_member as first_rank,
        count(*) over (partition by suite, version, member, value) as n_equal,
        count(*) over (partition by suite, version, member) as n_entrants
    from suite_counted
    where is_complete
    window same_member as (partition by suite, version, member order by value desc)
)

select
    suite,
    version,
    entrant,
    member,
    first_rank + (n_equal - 1) / 2e0 as mean_rank,
    n_entrants,
    100e0 * (n_entrants - first_rank - (n_equal - 1) / 2e0)
    / nullif(n_entrants - 1, 0) as points
from ranked
