-- incomplete_counts: one row per report row, subset and kind of a seeded benchmark
-- whose items do not give the count that METRICS.md states; none for a benchmark
-- without items.
-- Source: SCORING.md §6.
with counted as (
    select
        scopes.benchmark_id,
        scopes.report_row,
        scopes.subset,
        kinds.kind,
        count(*) as n_items
    from scopes
    inner join golden_items
        on scopes.benchmark_id = golden_items.benchmark_id
        and scopes.item_id = golden_items.item_id
    cross join (
        values
        ('all'), ('choice'), ('noul'), ('score'), ('multi_select')
    ) as kinds (kind)
    where kinds.kind in ('all', golden_items.type)
    group by scopes.benchmark_id, scopes.report_row, scopes.subset, kinds.kind
)

select
    report_rows.benchmark_id,
    report_rows.report_row,
    report_rows.subset,
    report_rows.kind,
    report_rows.n_expected,
    coalesce(counted.n_items, 0) as n_items
from report_rows
left join counted
    on report_rows.benchmark_id = counted.benchmark_id
    and report_rows.report_row = counted.report_row
    and report_rows.subset = counted.subset
    and report_rows.kind = counted.kind
where
    report_rows.benchmark_id in (select benchmark_id from golden_items)
    and report_rows.n_expected <> coalesce(counted.n_items, 0)
