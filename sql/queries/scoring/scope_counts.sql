-- scope_counts: one row per report row, subset and type of benchmark $benchmark: how
-- many items it covers, and how many METRICS.md says, where it says so.
with placed as (
    select *
    from scopes
    where benchmark_id = $benchmark
),

typed as (
    select
        placed.report_row,
        placed.subset,
        golden_items.type as kind
    from placed
    inner join golden_items
        on placed.benchmark_id = golden_items.benchmark_id
        and placed.item_id = golden_items.item_id
),

counted as (
    select
        report_row,
        subset,
        coalesce(kind, 'all') as kind,
        count(*) as n_items
    from typed
    group by grouping sets ((report_row, subset), (report_row, subset, kind))
),

expected as (
    select
        report_row,
        subset,
        kind,
        n_expected
    from report_rows
    where benchmark_id = $benchmark
)

select
    report_row,
    subset,
    kind,
    coalesce(counted.n_items, 0) as n_items,
    expected.n_expected
from counted
full join expected using (report_row, subset, kind)
order by report_row, subset, kind
