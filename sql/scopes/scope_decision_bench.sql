-- scope_decision_bench: one row per report row, subset and item of a benchmark scored
-- like Decision Bench: all items are choice, the reference is the one-hot gold.
-- image_origin holds the items rendered as text from an image.
-- Source: METRICS.md (scoring scopes), SCORING.md §6.
with placed as (
    select
        benchmark_id,
        report_row,
        item_id,
        type,
        reference_kind
    from golden_items
    cross join
        (values ('overall'), ('text'), ('image_origin')) as report_rows (report_row)
    where
        scoring = 'decision-bench'
        and (
            report_row = 'overall'
            or (report_row = 'text' and modality = 'text')
            or (report_row = 'image_origin' and modality = 'text_rendered')
        )
)

select
    benchmark_id,
    report_row,
    subset,
    item_id
from placed
cross join (
    values
    ('all'), ('index'), ('ece_choice'), ('pooled'), ('tvd')
) as subsets (subset)
where case subset
    when 'all' then true
    when 'index' then type = 'choice'
    when 'ece_choice' then type = 'choice'
    when 'pooled' then type = 'choice'
    when 'tvd' then type = 'choice' and reference_kind is not null
end
