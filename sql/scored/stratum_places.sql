-- stratum_places: one row per stratum and place (report row, subset) its items stand
-- in: the places of the item it is named after.
-- Source: SCORING.md §6.
select
    strata.benchmark_id,
    strata.stratum,
    scopes.report_row,
    scopes.subset
from strata
inner join scopes
    on strata.benchmark_id = scopes.benchmark_id
    and strata.item_id = scopes.item_id
where strata.item_id = strata.stratum
