-- scopes: one row per benchmark, report row, subset and item, of every scoring.
-- A breakdown or a cohort is this relation with other rows; everything below follows
-- it.
-- Source: SCORING.md §6.
select
    benchmark_id,
    report_row,
    subset,
    item_id
from scope_cmdb_1500
union all
select
    benchmark_id,
    report_row,
    subset,
    item_id
from scope_jevbench
union all
select
    benchmark_id,
    report_row,
    subset,
    item_id
from scope_decision_bench
union all
select
    benchmark_id,
    report_row,
    subset,
    item_id
from scope_generic
