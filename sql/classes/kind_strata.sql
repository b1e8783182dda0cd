-- kind_strata: one row per report row, kind (a type, or all) and stratum of items with
-- one answer that the row's numbers of this kind are over.
-- Source: SUITES.md §3; SCORING.md §6.
select
    stratum_sets.benchmark_id,
    scopes.report_row,
    kinds.kind,
    stratum_sets.stratum,
    stratum_sets.n_items,
    stratum_sets.chance_units,
    stratum_sets.option_set,
    stratum_sets.positive
from stratum_sets
inner join scopes
    on stratum_sets.benchmark_id = scopes.benchmark_id
    and stratum_sets.stratum = scopes.item_id
    and scopes.subset = 'index'
cross join (values ('all'), ('choice'), ('noul'), ('score')) as kinds (kind)
where kinds.kind in ('all', stratum_sets.type)
