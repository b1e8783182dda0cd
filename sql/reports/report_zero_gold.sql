-- report_zero_gold: one row per run, report row, method and kind: the metric
-- zero_gold_rate. In [0, 1], lower is better. Share of the single-answer rows with a
-- distribution that give the gold option exactly 0, as vendors that round do; each adds
-- -ln(floor) to the NLL whatever else the model said.
-- Source: SCORING.md §3 (NLL, probability floor).
with counted as (
    select
        scored.run_id,
        scopes.report_row,
        kinds.kind,
        count(*) filter (where scored.repeat = 0) as n_items,
        count(scored.gold_probability) filter (where runs.n_repeats = 1)
        + count(distinct scored.item_id) filter (
            where runs.n_repeats > 1 and scored.gold_probability is not null
        ) as n,
        count(scored.gold_probability) as n_stated,
        count_if(scored.gold_probability = 0e0) as n_zero
    from scored
    inner join scopes
        on scored.benchmark_id = scopes.benchmark_id
        and scored.item_id = scopes.item_id
        and scopes.subset = 'index'
    inner join runs on scored.run_id = runs.run_id
    cross join (values ('all'), ('choice'), ('noul'), ('score')) as kinds (kind)
    where kinds.kind in ('all', scored.type)
    group by scored.run_id, scopes.report_row, kinds.kind
)

select
    frames.run_id,
    frames.gold_revision,
    frames.report_row,
    frames.method_id,
    kinds.kind,
    'zero_gold_rate' as metric,
    counted.n_zero / nullif(counted.n_stated, 0) as value,
    coalesce(counted.n, 0) as n,
    coalesce(counted.n_items, 0) as n_scope,
    case
        when counted.n > 0 then null
        when list_contains(frames.unsupported_types, kinds.kind) then 'unsupported_type'
        when counted.n_items is null then 'no_rows'
        else 'no_probabilities'
    end as reason
from frames
cross join (values ('all'), ('choice'), ('noul'), ('score')) as kinds (kind)
left join counted
    on frames.run_id = counted.run_id
    and frames.report_row = counted.report_row
    and kinds.kind = counted.kind
