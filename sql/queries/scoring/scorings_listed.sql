-- scorings_listed: one row per scoring: the view that defines its scopes, with the
-- digest of the SQL file it was made from, and the benchmarks and items scored by it.
-- version counts the files of a scoring that a user added; null for jevdb's own.
with counted as (
    select
        scoring,
        count(*) as n_benchmarks,
        cast(sum(n_items) as bigint) as n_items
    from benchmark_states
    group by scoring
),

added as (
    select
        scoring,
        max(version) as version
    from scope_versions
    group by scoring
)

select
    replace(program.name[7:], '_', '-') as scoring,
    program.name as view_name,
    coalesce(counted.n_benchmarks, 0) as n_benchmarks,
    coalesce(counted.n_items, 0) as n_items,
    program.sha256,
    added.version
from program
left join counted on replace(program.name[7:], '_', '-') = counted.scoring
left join added on replace(program.name[7:], '_', '-') = added.scoring
where program.layer = 'scopes'
order by scoring
