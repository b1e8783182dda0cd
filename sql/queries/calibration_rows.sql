-- calibration_rows: one row per kind of ECE and item with a distribution in report row
-- $report_row: what is stated and whether it is true, the top label's probability and
-- whether it is right.
with kinds as (
    select *
    from (
        values
        ('choice', 'ece_choice'),
        ('noul', 'ece_noul'),
        ('score', 'ece_score'),
        ('pooled', 'pooled'),
        ('all', 'index')
    ) as kinds (kind, subset)
)

select
    kinds.kind,
    scored.item_id,
    case
        when kinds.kind = 'noul' then scored.yes_probability
        else scored.confidence
    end as stated,
    scored.confidence,
    scored.is_right
from scopes
inner join kinds on scopes.subset = kinds.subset
inner join scored on scopes.item_id = scored.item_id
where
    scopes.report_row = $report_row
    and scored.confidence is not null
    and (kinds.kind <> 'noul' or scored.type = 'noul')
order by kinds.kind, scored.item_id
