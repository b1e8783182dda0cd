-- report_lines: one row per run, report row and method: the report, with the name and
-- scoring of the benchmark, and how many rows each number averages.
with named as (
    select
        run_id,
        report_row,
        method_id,
        case when metric = 'ece' then 'ece_' || kind else metric end as name,
        n
    from report_metrics
    where
        kind in ('all', 'pooled')
        or (metric = 'ece' and kind in ('choice', 'noul', 'score'))
        or (metric = 'rps' and kind = 'score')
),

counted as (
    select
        run_id,
        report_row,
        method_id,
        map_from_entries(list({ 'k': name, 'v': n } order by name)) as counts
    from named
    group by run_id, report_row, method_id
)

select
    report.run_id,
    report.report_row,
    report.method_id,
    report.gold_revision,
    report.n,
    report.accuracy,
    report.intelligence,
    report.calibration,
    report.ece_choice,
    report.ece_noul,
    report.ece_score,
    report.ece_pooled,
    report.tvd,
    report.rps,
    report.coverage,
    report.reasons,
    report.partial_types,
    report.is_incomplete,
    counted.counts,
    benchmarks.name as benchmark_name,
    benchmarks.scoring
from report
inner join counted
    on report.run_id = counted.run_id
    and report.report_row = counted.report_row
    and report.method_id = counted.method_id
inner join benchmarks on report.benchmark_id = benchmarks.benchmark_id
