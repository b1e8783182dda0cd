-- calibration_rows: one row per run, kind of ECE, item of its types in report row
-- $report_row and repeat, in this order: what is stated and whether it came true, the
-- top label's probability and whether it is right; null where the row has no
-- distribution.
-- is_binned: the ECE is over the item. What follows says which items vary together.
select
    scored.run_id,
    ece_kinds.kind,
    scored.item_id,
    scored.repeat,
    case
        when ece_kinds.basis = 'yes' then scored.yes_probability
        else scored.confidence
    end as stated,
    scored.confidence,
    scored.is_right,
    case
        when ece_kinds.basis = 'yes' then coalesce(scored.gold_index = 1, false)
        else scored.is_right
    end as is_true,
    bool_or(scopes.subset = ece_kinds.subset) as is_binned,
    scored.type,
    scored.tier,
    scored.modality,
    scored.family,
    scored.domain,
    items."group"
from scopes
inner join ece_kinds
    on scopes.subset in (ece_kinds.subset, 'index')
inner join scored
    on scopes.benchmark_id = scored.benchmark_id
    and scopes.item_id = scored.item_id
inner join items
    on scored.benchmark_id = items.benchmark_id
    and scored.item_id = items.item_id
where
    scopes.report_row = $report_row
    and case ece_kinds.kind
        when 'all' then true
        when 'pooled' then scored.type in ('choice', 'noul')
        else scored.type = ece_kinds.kind
    end
group by all
order by scored.run_id, ece_kinds.kind, scored.item_id, scored.repeat
