-- explain_components: one row per type in report row $report_row: the component of
-- $metric, its weight, and whether the index takes it.
select
    components.kind,
    index_weight(
        components.metric,
        components.kind,
        frames.choice_weight,
        frames.noul_weight,
        frames.score_weight
    ) as weight,
    components.value,
    components.n,
    components.n_scope,
    components.reason,
    cells.n_supported > 0 as is_taken
from components
inner join frames
    on components.run_id = frames.run_id
    and components.report_row = frames.report_row
    and components.method_id = frames.method_id
inner join cells
    on components.run_id = cells.run_id
    and components.report_row = cells.report_row
    and frames.rule = cells.rule
    and components.kind = cells.kind
    and cells.subset = 'index'
where
    components.metric = $metric
    and components.report_row = $report_row
order by components.kind
