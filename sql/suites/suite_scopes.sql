-- suite_scopes: one row per benchmark, report row of a suite's members (scope_row),
-- subset and item: scopes without the items that a member excludes.
-- Source: SUITES.md §4 (exclude).
with wanted as (
    select distinct
        benchmark_id,
        report_row,
        scope_row,
        excluded
    from suite_members
)

select
    scopes.benchmark_id,
    wanted.scope_row as report_row,
    scopes.subset,
    scopes.item_id
from scopes
inner join wanted
    on scopes.benchmark_id = wanted.benchmark_id
    and scopes.report_row = wanted.report_row
where not array_contains(wanted.excluded, scopes.item_id)
