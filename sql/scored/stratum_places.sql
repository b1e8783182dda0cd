-- stratum_places: one row per stratum and place (report row, subset) its items stand in.
-- Source: SCORING.md §6.
select distinct
    scopes.benchmark_id,
    scopes.report_row,
    scopes.subset,
    strata.stratum
from scopes
inner join strata
    on scopes.benchmark_id = strata.benchmark_id
    and scopes.item_id = strata.item_id
