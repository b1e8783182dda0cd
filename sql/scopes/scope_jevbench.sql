-- scope_jevbench: one row per report row, subset and item of a benchmark scored like
-- JevBench.
-- hard_111 is the hard tier of public_231; both use the same hard choice items for
-- choice ECE and TVD.
-- Source: METRICS.md (scoring scopes), SCORING.md §6.
with placed as (
    select
        benchmark_id,
        report_row,
        item_id,
        type,
        tier,
        reference_kind
    from golden_items
    cross join (values ('public_231'), ('hard_111')) as report_rows (report_row)
    where
        scoring = 'jevbench'
        and (report_row = 'public_231' or tier = 'hard')
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
    when 'ece_choice' then type = 'choice' and tier = 'hard'
    when 'ece_noul' then type = 'noul'
    when 'ece_score' then type = 'score'
    when 'pooled' then type in ('choice', 'noul')
    when 'tvd' then type = 'choice' and tier = 'hard' and reference_kind is not null
    when 'rps' then type = 'score'
    when 'multi_select' then type = 'multi_select'
end
