-- report_lines: one row per run, report row and method: the report, with the name of
-- now of the benchmark and the kind of ECE that its scoring shows, null for one a type.
select
    report.*,
    coalesce(name_states.shown, benchmarks.name) as benchmark_name,
    nullif(scoring_rules.main_ece, 'by_type') as main_ece
from report
inner join benchmarks on report.benchmark_id = benchmarks.benchmark_id
left join name_states
    on name_states.kind = 'benchmark'
    and benchmarks.benchmark_id = name_states.name
left join scoring_rules on benchmarks.scoring = scoring_rules.scoring
