-- digests: one row per judged prediction, in order: the digest that names it.
-- Apart from ingest_judged, whose columns would be worked out again for each use.
-- Source: DESIGN.md §5 (identity).
select
    prediction_digest(
        item_id, status, reason, label_index, labels, level, probabilities, returned,
        step_probabilities, latency_s, input_tokens, output_tokens, cost_usd, error,
        meta
    ) as digest
from undigested
