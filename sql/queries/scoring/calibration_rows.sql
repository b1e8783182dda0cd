-- calibration_rows: one row per kind of ECE and item with a distribution in report row
-- $report_row: what is stated and whether it is true, the top label's probability and
-- whether it is right.
select
    ece_kinds.kind,
    scored.item_id,
    case
        when ece_kinds.basis = 'yes' then scored.yes_probability
        else scored.confidence
    end as stated,
    scored.confidence,
    scored.is_right
from scopes
inner join ece_kinds on scopes.subset = ece_kinds.subset
inner join scored on scopes.item_id = scored.item_id
where
    scopes.report_row = $report_row
    and scored.confidence is not null
    and (ece_kinds.basis = 'top' or scored.type = 'noul')
order by ece_kinds.kind, scored.item_id
