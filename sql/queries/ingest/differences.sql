-- differences: one row: how the rows of a stored run and those to store
-- (incoming) differ.
with stored as (
    select
        item_id,
        repeat,
        repeated_digest(
            repeat,
            prediction_digest(
                item_id, status, reason, label_index, labels, level, probabilities,
                returned, step_probabilities, latency_s, input_tokens, output_tokens,
                cost_usd, error, meta
            )
        ) as digest
    from predictions
    where run_id = $run_id
)

select
    count(*) filter (
        where stored.item_id is not null
        and incoming.item_id is not null
        and stored.digest <> incoming.digest
    ) as n_other,
    count(*) filter (where stored.item_id is null) as n_new,
    count(*) filter (where incoming.item_id is null) as n_gone,
    min(coalesce(stored.item_id, incoming.item_id)) filter (
        where stored.digest is distinct from incoming.digest
    ) as first_item
from stored
full join incoming
    on stored.item_id = incoming.item_id
    and stored.repeat = incoming.repeat
