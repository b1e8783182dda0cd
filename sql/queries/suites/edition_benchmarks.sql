-- edition_benchmarks: one row per benchmark, as an edition names it; scope_version and
-- scope_sha256 are those of a scoring that a user added.
with newest as (
    select
        scoring,
        max(version) as version,
        max_by(sql_sha256, version) as sql_sha256
    from scope_versions
    group by scoring
)

select
    benchmark_states.benchmark_id as id,
    benchmark_states.gold_revision,
    benchmark_states.items_sha256,
    benchmark_states.scoring,
    newest.version as scope_version,
    newest.sql_sha256 as scope_sha256
from benchmark_states
left join newest on benchmark_states.scoring = newest.scoring
