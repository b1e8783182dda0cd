-- metric_coverage: one row per run, report row and method. In [0, 1], higher is better.
-- Share of the answers asked for the row's items that are ok.
-- Source: SCORING.md §3 (coverage).
select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    'all' as kind,
    'coverage' as metric,
    cells.n_ok / nullif(cells.n_answers, 0) as value,
    cells.n_items as n,
    cells.n_items as n_scope,
    cast(null as varchar) as reason
from frames
inner join cells
    on frames.run_id = cells.run_id
    and frames.report_row = cells.report_row
    and frames.rule = cells.rule
where
    cells.subset = 'all'
    and cells.kind = 'all'
