-- explain_rows: one row per item of report row $report_row, of the one run and method
-- there are: whether the number $metric averages it, with which term, or why not.
-- In the scope are the items of $subset (null: of the type's own ECE) and $type (or
-- all). An ECE states P(yes) on basis yes, else the top label's probability.
with placed as (
    select
        item_id,
        count_if(subset = $subset) > 0 as is_in_subset,
        list(subset) as subsets
    from scopes
    where report_row = $report_row
    group by item_id
    having count_if(subset = 'all') > 0
),

judged as (
    select
        scored.*,
        methods.bins,
        case
            when $subset is null
                then list_contains(placed.subsets, 'ece_' || scored.type)
            else placed.is_in_subset and $type in ('all', scored.type)
        end as is_in_scope,
        list_contains(placed.subsets, 'index') as is_in_index,
        array_contains(runs.unsupported_types, scored.type)
        and $metric in ('intelligence', 'multi_select_f1') as is_declared,
        $metric in ('accuracy', 'coverage', 'intelligence', 'multi_select_f1')
            as is_over_all,
        $basis = 'yes' or ($basis = 'by type' and scored.type = 'noul') as states_yes,
        case $metric
            when 'accuracy' then cast(scored.is_right as double)
            when 'coverage' then cast(scored.status = 'ok' as double)
            when 'tvd' then scored.total_variation
            when 'rps' then scored.ranked_probability_score
            when 'brier' then scored.squared_error
            when 'nll'
                then
                    negative_log_likelihood(
                        scored.gold_probability, methods.probability_floor
                    )
            when 'ordinal_mae' then scored.rating_error
            when 'multi_select_f1' then scored.f1
            when 'intelligence' then case
                when scored.type = 'score' then scored.scaled_rating_error
                when scored.type = 'choice' or scored.yes_probability is null
                    then cast(scored.is_right as double)
                else cast(threshold_right(
                    scored.yes_probability,
                    scored.gold_index = 1,
                    methods.noul_low,
                    methods.noul_high
                ) as double)
            end
        end as term
    from placed
    inner join scored on placed.item_id = scored.item_id
    inner join runs on scored.run_id = runs.run_id
    cross join methods
),

stated as (
    select
        *,
        case
            when states_yes then yes_probability
            when $basis is not null then confidence
        end as stated,
        case
            when states_yes then gold_index = 1
            when $basis is not null then is_right
        end as outcome
    from judged
),

averaged as (
    select
        *,
        is_in_scope
        and not is_declared
        and (is_over_all or coalesce(term, stated) is not null) as is_averaged
    from stated
)

select
    item_id,
    type,
    tier,
    family,
    status,
    reason,
    coalesce(to_json(gold_labels), to_json(options[gold_index + 1])) as gold,
    coalesce(to_json(answer_labels), to_json(top_label)) as answer,
    case when is_averaged then stated end as stated,
    case when is_averaged and stated is not null then outcome end as outcome,
    case when is_averaged then confidence_bin(stated, bins) end as bin,
    case when is_averaged then term end as term,
    is_in_scope,
    is_averaged,
    case
        when is_in_scope and is_declared then 'its type was declared unsupported'
        when is_in_scope and status <> 'ok' then concat_ws(', ', status, reason)
        when is_averaged and $metric = 'coverage' then 'ok'
        when
            is_averaged and is_over_all and $metric <> 'multi_select_f1'
            and not ($metric = 'intelligence' and type = 'score')
            then case when term = 1e0 then 'right' else 'wrong' end
        when is_averaged and stated is not null then 'has a distribution'
        when is_averaged then 'scored'
        when is_in_scope then 'label only, no distribution'
        when
            $metric = 'tvd'
            and is_in_index
            and type in ('choice', 'noul')
            and reference_kind is null
            then 'no reference distribution'
        else 'outside the scope: ' || type
    end as fate
from averaged
order by item_id
