-- calibration_rows: one row per run, kind of ECE, item of its types in report row
-- $report_row and repeat, in this order: what is stated and whether it came true, the
-- top label's probability and whether it is right, by the one method there is; null
-- where the row has no distribution.
-- is_binned: the ECE is over the item. What follows says which items vary together.
select
    terms.run_id,
    ece_kinds.kind,
    terms.item_id,
    terms.repeat,
    case
        when ece_kinds.basis = 'yes' then terms.yes_probability
        else terms.confidence
    end as stated,
    terms.confidence,
    terms.is_right,
    case
        when ece_kinds.basis = 'yes' then coalesce(terms.gold_index = 1, false)
        else terms.is_right
    end as is_true,
    bool_or(scopes.subset = ece_kinds.subset) as is_binned,
    terms.type,
    terms.tier,
    terms.modality,
    terms.family,
    terms.domain,
    items."group"
from scopes
inner join ece_kinds
    on scopes.subset in (ece_kinds.subset, 'index')
inner join terms
    on scopes.benchmark_id = terms.benchmark_id
    and scopes.item_id = terms.item_id
inner join items
    on terms.benchmark_id = items.benchmark_id
    and terms.item_id = items.item_id
where
    scopes.report_row = $report_row
    and case ece_kinds.kind
        when 'all' then true
        when 'pooled' then terms.type in ('choice', 'noul')
        else terms.type = ece_kinds.kind
    end
group by all
order by terms.run_id, ece_kinds.kind, terms.item_id, terms.repeat
