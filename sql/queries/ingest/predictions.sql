-- predictions: stores the rows of a run, read from incoming.
insert into predictions by name
select
    cast($run_id as varchar) as run_id,
    item_id,
    repeat,
    status,
    reason,
    label_index,
    labels,
    level,
    probabilities,
    cast(returned as json) as returned,
    step_probabilities,
    renormalized,
    answer_mismatch,
    latency_s,
    input_tokens,
    output_tokens,
    cost_usd,
    error,
    attempts,
    source_file,
    source_line,
    cast(meta as json) as meta
from incoming
