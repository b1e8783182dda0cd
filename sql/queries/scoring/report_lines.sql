-- report_lines: one row per run, report row and method: the report, with the name and
-- scoring of the benchmark.
select
    report.*,
    benchmarks.name as benchmark_name,
    benchmarks.scoring
from report
inner join benchmarks on report.benchmark_id = benchmarks.benchmark_id
