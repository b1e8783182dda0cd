-- scope_cmdb_1500: one row per report row, subset and item of a benchmark scored like
-- CMDB-1500.
-- I and C leave out multi-select; TVD is over every choice or noul item with a
-- reference.
-- Source: METRICS.md (scoring scopes), SCORING.md §6.
with placed as (
    select
        benchmark_id,
        report_row,
        item_id,
        type,
        reference_kind
    from golden_items
    cross join (values ('overall'), ('text'), ('image')) as report_rows (report_row)
    where
        scoring = 'cmdb-1500'
        and report_row in ('overall', modality)
)

select
    benchmark_id,
    report_row,
    subset,
    item_id
from placed
cross join (
    values
    ('all'), ('index'), ('ece_choice'), ('ece_noul'), ('ece_score'),
    ('pooled'), ('tvd'), ('rps'), ('multi_select')
) as subsets (subset)
where case subset
    when 'all' then true
    when 'index' then type <> 'multi_select'
    when 'ece_choice' then type = 'choice'
    when 'ece_noul' then type = 'noul'
    when 'ece_score' then type = 'score'
    when 'pooled' then type in ('choice', 'noul')
    when 'tvd' then type in ('choice', 'noul') and reference_kind is not null
    when 'rps' then type = 'score'
    when 'multi_select' then type = 'multi_select'
end
