-- fates: one row per run, report row, metric, kind and fate of the selection: how
-- many items of the number's scope it averages or leaves out, and why. Which items a
-- number is about, and which of them it averages, metric_kinds says. Rules as in
-- explain_rows, but for noul rows of I, which are right by the thresholds of a method:
-- these are the fates by every method that picks the top label as $method does.
with answers as (
    select
        terms.run_id,
        strata.benchmark_id,
        strata.stratum,
        terms.type,
        terms.status,
        terms.reason,
        terms.is_right,
        terms.confidence is not null as is_stated,
        terms.term_squared_error is not null as is_proper,
        terms.total_variation is not null as is_compared,
        terms.rating_error is not null as is_rated,
        array_contains(runs.unsupported_types, terms.type) as is_declared,
        count(*) as n
    from terms
    inner join strata
        on terms.benchmark_id = strata.benchmark_id
        and terms.item_id = strata.item_id
    inner join runs on terms.run_id = runs.run_id
    where
        terms.rule in (
            select method_rules.rule
            from method_rules
            where method_rules.method_id = $method
        )
    group by all
),

placed as (
    select
        answers.*,
        scopes.report_row,
        metric_kinds.metric,
        metric_kinds.kind,
        metric_kinds.averaged_word,
        case metric_kinds.counted
            when 'items' then true
            when 'proper' then answers.is_proper
            when 'compared' then answers.is_compared
            when 'rated' then answers.is_rated
            else answers.is_stated
        end as has_term,
        list_contains(metric_kinds.right_types, answers.type)
        and (answers.type <> 'noul' or metric_kinds.term = 'is_right')
            as is_right_or_wrong,
        answers.is_declared and metric_kinds.leaves_declared as is_refused
    from answers
    inner join scopes
        on answers.benchmark_id = scopes.benchmark_id
        and answers.stratum = scopes.item_id
    inner join metric_kinds
        on coalesce(metric_kinds.subset, 'ece_' || answers.type) = scopes.subset
        and metric_kinds.type in ('all', answers.type)
),

told as (
    select
        *,
        not is_refused and has_term as is_averaged,
        case
            when is_refused then 'its type was declared unsupported'
            when status <> 'ok' then concat_ws(', ', status, reason)
            when is_right_or_wrong
                then case when is_right then 'right' else 'wrong' end
            when has_term then averaged_word
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
