-- report: one row per run, report row and method: the results table.
-- reasons maps the columns that are null to why, counts every column to how many rows
-- it averages, scope_counts to how many it is about; partial_types lists the types the
-- indices are over where the run declared others unsupported.
-- Source: METRICS.md, DESIGN.md §8.
with named as (
    select
        *,
        metric as name
    from metric_accuracy
    where kind = 'all'
    union all
    select
        *,
        metric as name
    from indices
    union all
    select
        *,
        metric || '_' || kind as name
    from metric_ece
    where kind <> 'all'
    union all
    select
        *,
        metric as name
    from metric_tvd
    union all
    select
        *,
        metric as name
    from metric_rps
    union all
    select
        *,
        metric as name
    from metric_coverage
),

pivoted as (
    select
        run_id,
        gold_revision,
        report_row,
        method_id,
        max(case when name = 'accuracy' then n end) as n,
        max(case when name = 'accuracy' then value end) as accuracy,
        max(case when name = 'intelligence' then value end) as intelligence,
        max(case when name = 'calibration' then value end) as calibration,
        max(case when name = 'ece_choice' then value end) as ece_choice,
        max(case when name = 'ece_noul' then value end) as ece_noul,
        max(case when name = 'ece_score' then value end) as ece_score,
        max(case when name = 'ece_pooled' then value end) as ece_pooled,
        max(case when name = 'tvd' then value end) as tvd,
        max(case when name = 'rps' then value end) as rps,
        max(case when name = 'coverage' then value end) as coverage,
        map_from_entries(
            list_sort(
                coalesce(
                    list({ 'k': name, 'v': reason }) filter (where reason is not null),
                    []
                )
            )
        ) as reasons,
        map_from_entries(list_sort(list({ 'k': name, 'v': n }))) as counts,
        map_from_entries(list_sort(list({ 'k': name, 'v': n_scope }))) as scope_counts
    from named
    group by run_id, gold_revision, report_row, method_id
),

supported as (
    select
        cells.run_id,
        cells.report_row,
        list(distinct cells.kind order by cells.kind)
        filter (where cells.n_supported > 0) as types,
        count_if(cells.n_supported = 0) > 0 as is_partial
    from cells
    where
        cells.subset = 'index'
        and cells.kind <> 'all'
    group by cells.run_id, cells.report_row
)

select
    pivoted.run_id,
    run_states.model,
    run_states.revision,
    run_states.label,
    run_states.benchmark_id,
    pivoted.report_row,
    pivoted.method_id,
    pivoted.gold_revision,
    pivoted.n,
    pivoted.accuracy,
    pivoted.intelligence,
    pivoted.calibration,
    pivoted.ece_choice,
    pivoted.ece_noul,
    pivoted.ece_score,
    pivoted.ece_pooled,
    pivoted.tvd,
    pivoted.rps,
    pivoted.coverage,
    pivoted.reasons,
    pivoted.counts,
    pivoted.scope_counts,
    case when supported.is_partial then coalesce(supported.types, []) end
        as partial_types,
    exists(
        select 1
        from incomplete_counts
        where
            incomplete_counts.benchmark_id = run_states.benchmark_id
            and incomplete_counts.report_row = pivoted.report_row
    ) as is_incomplete
from pivoted
inner join run_states on pivoted.run_id = run_states.run_id
left join supported
    on pivoted.run_id = supported.run_id
    and pivoted.report_row = supported.report_row
