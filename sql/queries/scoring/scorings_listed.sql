-- scorings_listed: one row per scoring: the view that defines its scopes, with the
-- digest of the SQL file it was made from, the benchmarks and items scored by it, and
-- its rules. version counts the files of a scoring that a user added; null for jevdb's
-- own.
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
    added.version,
    scoring_rules.title,
    scoring_rules.reference_rule,
    scoring_rules.tier_rule,
    scoring_rules.tvd_types,
    scoring_rules.main_ece,
    scoring_rules.item_types
from program
left join counted on replace(program.name[7:], '_', '-') = counted.scoring
left join added on replace(program.name[7:], '_', '-') = added.scoring
left join scoring_rules
    on replace(program.name[7:], '_', '-') = scoring_rules.scoring
where program.layer = 'scopes'
order by scoring
