-- repeat_rows: one row per number of right answers to an item, over the items of report
-- row $report_row of the one run and method there are: how many items have so many.
-- Source: SUITES.md §2 (pass_k).
select
    repeated_items.n_right,
    count(*) as n_items
from repeated_items
inner join scopes
    on repeated_items.benchmark_id = scopes.benchmark_id
    and repeated_items.item_id = scopes.item_id
where
    scopes.report_row = $report_row
    and scopes.subset = 'all'
group by repeated_items.n_right
order by repeated_items.n_right
