-- metric_chance: one row per run, report row, method and kind. In [0, 1], higher is
-- better. What a policy gets that never looks at the question, the same for every run:
-- uniform guesses, best_fixed always gives the label or the place that gets most, over
-- all items with one answer, or those of the type that the kind ends with.
-- Source: SUITES.md §3.
select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    policies.policy || kinds.ending as kind,
    'chance' as metric,
    case policies.policy
        when 'uniform' then constants.uniform
        else constants.best_fixed
    end as value,
    coalesce(constants.n_items, 0) as n,
    coalesce(constants.n_items, 0) as n_scope,
    case when constants.n_items is null then 'no_rows' end as reason
from frames
cross join (values ('uniform'), ('best_fixed')) as policies (policy)
cross join (
    values
    ('all', ''), ('choice', '_choice'), ('noul', '_noul'), ('score', '_score')
) as kinds (kind, ending)
left join constants
    on frames.benchmark_id = constants.benchmark_id
    and frames.report_row = constants.report_row
    and kinds.kind = constants.kind
