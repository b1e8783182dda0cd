-- scope_generic: one row per report row, subset and item of any other benchmark.
-- Besides overall there is a report row per modality where there are several. Without
-- any reference in the gold, TVD compares every choice item with its one-hot gold
-- (golden_items.reference_kind).
-- Source: SCORING.md §6 (generic).
with generic_items as (
    select
        benchmark_id,
        item_id,
        type,
        modality,
        reference_kind,
        min(modality) over (partition by benchmark_id)
        <> max(modality) over (partition by benchmark_id) as has_several_modalities
    from golden_items
    where scoring = 'generic'
),

placed as (
    select
        benchmark_id,
        case when part = 'overall' then part else modality end as report_row,
        item_id,
        type,
        reference_kind
    from generic_items
    cross join (values ('overall'), ('modality')) as parts (part)
    where part = 'overall' or has_several_modalities
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
