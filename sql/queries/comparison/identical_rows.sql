-- identical_rows: one row per run of $others and report row of the selection where each
-- item has the statuses, distributions and answers that run $base has.
-- Source: INFERENCE.md §4.4.
with placed as (
    select
        scored.run_id,
        runs.n_repeats,
        scopes.report_row,
        scored.item_id,
        scored.repeat,
        scored.status,
        scored.probabilities,
        scored.top_index,
        scored.answer_labels,
        scored.rating
    from scored
    inner join runs on scored.run_id = runs.run_id
    inner join scopes
        on scored.benchmark_id = scopes.benchmark_id
        and scored.item_id = scopes.item_id
    where scopes.subset = 'all'
)

select
    others.run_id,
    others.report_row
from placed as bases
inner join placed as others
    on bases.report_row = others.report_row
    and bases.item_id = others.item_id
    and bases.repeat = others.repeat
    and bases.n_repeats = others.n_repeats
where
    bases.run_id = $base
    and others.run_id in (select unnest($others))
group by others.run_id, others.report_row
having
    bool_and(
        bases.status = others.status
        and bases.probabilities is not distinct from others.probabilities
        and bases.top_index is not distinct from others.top_index
        and bases.answer_labels is not distinct from others.answer_labels
        and bases.rating is not distinct from others.rating
    )
