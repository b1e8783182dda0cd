-- frames: one row per run, report row of its benchmark and method: every place that has
-- a number, or a reason why there is none, with the method's parameters and its rule.
-- Source: SCORING.md §5, §6.
with placed as (
    select distinct
        benchmark_id,
        report_row
    from scopes
),

revisions as (
    select distinct
        benchmark_id,
        gold_revision
    from golden_items
)

select
    runs.run_id,
    runs.benchmark_id,
    runs.unsupported_types,
    revisions.gold_revision,
    placed.report_row,
    method_rules.*
from runs
inner join placed on runs.benchmark_id = placed.benchmark_id
inner join revisions on runs.benchmark_id = revisions.benchmark_id
cross join method_rules
