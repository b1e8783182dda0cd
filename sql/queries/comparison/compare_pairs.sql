-- compare_pairs: one row per other run of the selection, report row and kind (a type,
-- or all): how many items both, only run $base, only the other and neither got right.
-- Source: SCORING.md §3 (accuracy), §7 (McNemar).
with placed as (
    select
        scored.run_id,
        scored.item_id,
        scored.type,
        scored.is_right,
        scopes.report_row
    from scored
    inner join scopes
        on scored.benchmark_id = scopes.benchmark_id
        and scored.item_id = scopes.item_id
    where scopes.subset = 'all'
)

select
    others.run_id,
    others.report_row,
    kinds.kind,
    count_if(bases.is_right and others.is_right) as n_both,
    count_if(bases.is_right and not others.is_right) as n_only_base,
    count_if(not bases.is_right and others.is_right) as n_only_other,
    count_if(not bases.is_right and not others.is_right) as n_neither
from placed as bases
inner join placed as others
    on bases.report_row = others.report_row
    and bases.item_id = others.item_id
cross join (
    values
    ('all'), ('choice'), ('noul'), ('score'), ('multi_select')
) as kinds (kind)
where
    bases.run_id = $base
    and others.run_id <> $base
    and kinds.kind in ('all', others.type)
group by others.run_id, others.report_row, kinds.kind
