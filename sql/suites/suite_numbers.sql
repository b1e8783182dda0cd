-- suite_numbers: one row per run, report row of a suite's members, method, metric and
-- kind that a member asks for: report_metrics over suite_scopes.
-- n_ok of the n_answers that the number is about are ok; counts_all is whether
-- the number counts the others as wrong.
-- Source: SUITES.md §4.
with wanted as (
    select distinct
        suite_members.benchmark_id,
        suite_members.scope_row,
        suite_members.method_id,
        suite_members.metric,
        suite_members.kind,
        metric_kinds.subset,
        metric_kinds.type,
        metric_kinds.counted
    from suite_members
    inner join metric_kinds
        on suite_members.metric = metric_kinds.metric
        and suite_members.kind = metric_kinds.kind
)

select
    frames.benchmark_id,
    report_metrics.run_id,
    report_metrics.gold_revision,
    report_metrics.report_row,
    report_metrics.method_id,
    report_metrics.metric,
    report_metrics.kind,
    report_metrics.value,
    report_metrics.n,
    report_metrics.reason,
    coalesce(cells.n_answers, 0) as n_answers,
    coalesce(cells.n_ok, 0) as n_ok,
    wanted.counted = 'items' as counts_all
from frames
inner join wanted
    on frames.benchmark_id = wanted.benchmark_id
    and frames.report_row = wanted.scope_row
    and frames.method_id = wanted.method_id
inner join report_metrics
    on frames.run_id = report_metrics.run_id
    and frames.report_row = report_metrics.report_row
    and frames.method_id = report_metrics.method_id
    and wanted.metric = report_metrics.metric
    and wanted.kind = report_metrics.kind
left join cells
    on frames.run_id = cells.run_id
    and frames.report_row = cells.report_row
    and frames.rule = cells.rule
    and coalesce(wanted.subset, 'all') = cells.subset
    and wanted.type = cells.kind
