-- prediction_digest: SHA-256 (hex) of a stored prediction: the JSON array of its
-- columns in this order, numbers in their shortest form. Attempts, flags and source
-- follow from the rest or are not content.
-- Source: DESIGN.md §5 (identity).
create or replace macro prediction_digest(
    item_id, status, reason, label_index, labels, level, probabilities, returned,
    step_probabilities, latency_s, input_tokens, output_tokens, cost_usd, error, meta
) as
    sha256(cast(json_array(
        item_id, status, reason, label_index, labels, level, probabilities,
        cast(returned as varchar), step_probabilities, latency_s, input_tokens,
        output_tokens, cost_usd, error, cast(meta as varchar)
    ) as varchar));
