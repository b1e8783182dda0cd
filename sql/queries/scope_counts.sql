-- scope_counts: one row per report row, subset and type of benchmark $benchmark: how many
-- items it covers, and how many METRICS.md says, where it says so.
with typed as (
    select
        scopes.report_row,
        scopes.subset,
        golden_items.type as kind
    from scopes
    inner join golden_items
        on scopes.benchmark_id = golden_items.benchmark_id
        and scopes.item_id = golden_items.item_id
    where scopes.benchmark_id = $benchmark
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
