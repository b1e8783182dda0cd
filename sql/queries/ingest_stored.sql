-- ingest_stored: one row per prediction to store, with its digest and the file's own
-- verdict.
select
    item_id,
    status,
    reason,
    label_index,
    labels,
    level,
    probabilities,
    returned,
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
    meta,
    digest,
    is_correct
from chosen
