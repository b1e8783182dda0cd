-- fates: one row per run, report row, metric, kind and fate of the selection: how
-- many items of the number's scope it averages or leaves out, and why. $metrics,
-- $kinds, $subsets and $types are lists side by side: a number, and the items
-- it is about (subset null: of the type's own ECE). Rules as in explain_rows.
with numbers as (
    select
        unnest($metrics) as metric,
        unnest($kinds) as kind,
        unnest($subsets) as subset,
        unnest($types) as type
),

answers as (
    select
        scored.run_id,
        strata.benchmark_id,
        strata.stratum,
        scored.type,
        scored.status,
        scored.reason,
        scored.is_right,
        scored.confidence is not null as is_stated,
        scored.total_variation is not null as is_compared,
        scored.rating_error is not null as is_rated,
        array_contains(runs.unsupported_types, scored.type) as is_declared,
        count(*) as n
    from scored
    inner join strata
        on scored.benchmark_id = strata.benchmark_id
        and scored.item_id = strata.item_id
    inner join runs on scored.run_id = runs.run_id
    group by all
),

placed as (
    select
        answers.*,
        scopes.report_row,
        numbers.metric,
        numbers.kind,
        numbers.metric in ('accuracy', 'coverage', 'intelligence', 'multi_select_f1')
            as is_over_all,
        case numbers.metric
            when 'tvd' then is_compared
            when 'ordinal_mae' then is_rated
            else is_stated
        end as has_term,
        answers.is_declared
        and numbers.metric in ('intelligence', 'multi_select_f1') as is_refused
    from answers
    inner join scopes
        on answers.benchmark_id = scopes.benchmark_id
        and answers.stratum = scopes.item_id
    inner join numbers
        on coalesce(numbers.subset, 'ece_' || answers.type) = scopes.subset
        and numbers.type in ('all', answers.type)
),

told as (
    select
        *,
        not is_refused and (is_over_all or has_term) as is_averaged,
        case
            when is_refused then 'its type was declared unsupported'
            when status <> 'ok' then concat_ws(', ', status, reason)
            when metric = 'coverage' then 'ok'
            when
                metric = 'accuracy'
                or (metric = 'intelligence' and type = 'choice')
                then case when is_right then 'right' else 'wrong' end
            when is_over_all or has_term then 'scored'
            else 'label only, no distribution'
        end as fate
    from placed
)

select
    run_id,
    report_row,
    metric,
    kind,
    is_averaged,
    fate,
    cast(sum(n) as bigint) as n
from told
group by run_id, report_row, metric, kind, is_averaged, fate
order by run_id, report_row, metric, kind, fate
