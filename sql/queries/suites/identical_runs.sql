-- identical_runs: one row per pair of runs of $bases and $others, by place in the two
-- lists, whose items of the suite have the same statuses, distributions and answers.
-- Source: INFERENCE.md §4.4.
with pairs as (
    select
        unnest($bases) as base_id,
        unnest($others) as other_id
),

answers as (
    select
        scored.run_id,
        runs.n_repeats,
        scored.item_id,
        scored.repeat,
        scored.status,
        scored.probabilities,
        scored.top_index,
        scored.answer_labels,
        scored.rating
    from scored
    inner join runs on scored.run_id = runs.run_id
)

select
    pairs.base_id,
    pairs.other_id
from pairs
inner join answers as bases on pairs.base_id = bases.run_id
inner join answers as others
    on pairs.other_id = others.run_id
    and bases.item_id = others.item_id
    and bases.repeat = others.repeat
    and bases.n_repeats = others.n_repeats
group by pairs.base_id, pairs.other_id
having
    bool_and(
        bases.status = others.status
        and bases.probabilities is not distinct from others.probabilities
        and bases.top_index is not distinct from others.top_index
        and bases.answer_labels is not distinct from others.answer_labels
        and bases.rating is not distinct from others.rating
    )
