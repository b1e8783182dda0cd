-- cells: one row per run, rule, report row, subset and kind (a type, or all): its
-- tallies added up.
-- A stratum stands in the places (report row, subset) of the item it is named after.
-- n_supported leaves out the items of types that the run declared unsupported.
-- Source: SCORING.md §3, §4.
select
    tallies.run_id,
    tallies.gold_revision,
    tallies.rule,
    scopes.report_row,
    scopes.subset,
    kinds.kind,
    cast(sum(tallies.n_items) as bigint) as n_items,
    cast(sum(tallies.n_answers) as bigint) as n_answers,
    cast(coalesce(sum(tallies.n_items) filter (
        where not array_contains(runs.unsupported_types, tallies.type)
    ), 0) as bigint) as n_supported,
    cast(sum(tallies.n_ok) as bigint) as n_ok,
    cast(sum(tallies.n_right) as bigint) as n_right,
    cast(sum(tallies.n_stated) as bigint) as n_stated,
    cast(sum(tallies.n_proper) as bigint) as n_proper,
    cast(sum(tallies.n_compared) as bigint) as n_compared,
    cast(sum(tallies.n_rated) as bigint) as n_rated,
    cast(sum(tallies.n_items_stated) as bigint) as n_items_stated,
    cast(sum(tallies.n_items_proper) as bigint) as n_items_proper,
    cast(sum(tallies.n_items_compared) as bigint) as n_items_compared,
    cast(sum(tallies.n_items_rated) as bigint) as n_items_rated,
    cast(sum(tallies.n_twice_ok) as bigint) as n_twice_ok,
    cast(sum(tallies.n_flipped) as bigint) as n_flipped,
    cast(sum(tallies.n_always_right) as bigint) as n_always_right,
    cast(sum(tallies.n_once_right) as bigint) as n_once_right,
    cast(sum(tallies.n_right_squares) as bigint) as n_right_squares,
    sum(columns('^sum_'))
from tallies
inner join runs on tallies.run_id = runs.run_id
inner join scopes
    on tallies.benchmark_id = scopes.benchmark_id
    and tallies.stratum = scopes.item_id
cross join (
    values
    ('all'), ('choice'), ('noul'), ('score'), ('multi_select')
) as kinds (kind)
where kinds.kind in ('all', tallies.type)
group by
    tallies.run_id,
    tallies.gold_revision,
    tallies.rule,
    scopes.report_row,
    scopes.subset,
    kinds.kind
