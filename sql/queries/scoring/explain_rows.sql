-- explain_rows: one row per item of report row $report_row and repeat, of the one run
-- and method there are: whether the number of $metric and $kind averages it, with which
-- term, or why not. In the scope are the items of the subset (null: of the type's own
-- ECE) and type that metric_kinds says. An ECE states P(yes) on basis yes, else the top
-- label's probability. $term is the column of terms that the metric averages, or
-- null; $nothing says why no row counts, or is null.
with asked as (
    select *
    from metric_kinds
    where
        metric = $metric
        and kind = $kind
),

placed as (
    select
        scopes.item_id,
        count_if(scopes.subset = asked.subset) > 0 as is_in_subset,
        list(scopes.subset) as subsets
    from scopes
    cross join asked
    where scopes.report_row = $report_row
    group by scopes.item_id
    having count_if(scopes.subset = 'all') > 0
),

judged as (
    select
        terms.*,
        asked.basis,
        asked.averaged_word,
        asked.counted,
        case
            when asked.subset is null
                then list_contains(placed.subsets, 'ece_' || terms.type)
            else placed.is_in_subset and asked.type in ('all', terms.type)
        end as is_in_scope,
        list_contains(placed.subsets, 'index') as is_in_index,
        asked.leaves_declared
        and array_contains(runs.unsupported_types, terms.type) as is_declared,
        asked.counted = 'items' as is_over_all,
        list_contains(asked.right_types, terms.type) as is_right_or_wrong,
        asked.basis = 'yes' or (asked.basis = 'by type' and terms.type = 'noul')
            as states_yes,
        cast($term as double) as term
    from placed
    inner join terms on placed.item_id = terms.item_id
    inner join runs on terms.run_id = runs.run_id
    cross join asked
),

stated as (
    select
        *,
        case
            when states_yes then yes_probability
            when basis is not null then confidence
        end as stated,
        case
            when states_yes then gold_index = 1
            when basis is not null then is_right
        end as outcome
    from judged
),

averaged as (
    select
        *,
        is_in_scope
        and $nothing is null
        and not is_declared
        and (is_over_all or coalesce(term, stated) is not null) as is_averaged
    from stated
)

select
    item_id,
    repeat,
    type,
    tier,
    family,
    status,
    reason,
    coalesce(to_json(gold_labels), to_json(options[gold_index + 1])) as gold,
    coalesce(to_json(answer_labels), to_json(top_label)) as answer,
    case when is_averaged then stated end as stated,
    case when is_averaged and stated is not null then outcome end as outcome,
    case
        when is_averaged and states_yes then yes_bin
        when is_averaged and basis is not null then top_bin
    end as bin,
    case when is_averaged then term end as term,
    is_in_scope,
    is_averaged,
    case
        when is_in_scope and $nothing is not null then $nothing
        when is_in_scope and is_declared then 'its type was declared unsupported'
        when is_in_scope and status <> 'ok' then concat_ws(', ', status, reason)
        when is_averaged and is_right_or_wrong
            then case when term = 1e0 then 'right' else 'wrong' end
        when is_averaged and stated is not null then 'has a distribution'
        when is_averaged then averaged_word
        when is_in_scope then 'label only, no distribution'
        when
            counted = 'compared'
            and is_in_index
            and type in ('choice', 'noul')
            and reference_kind is null
            then 'no reference distribution'
        else 'outside the scope: ' || type
    end as fate
from averaged
order by item_id, repeat
