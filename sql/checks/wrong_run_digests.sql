-- wrong_run_digests: one row per run whose rows or name no longer give its digests.
-- Source: DESIGN.md §5 (identity).
with digested as (
    select
        run_id,
        digest_of(
            repeated_digest(
                repeat,
                prediction_digest(
                    item_id, status, reason, label_index, labels, level, probabilities,
                    returned, step_probabilities, latency_s, input_tokens,
                    output_tokens, cost_usd, error, meta
                )
            ),
            item_id,
            repeat := repeat
        ) as rows_sha256
    from predictions
    group by run_id
),

recomputed as (
    select
        runs.run_id,
        runs.rows_sha256,
        coalesce(digested.rows_sha256, 'none') as found_sha256,
        run_digest(
            runs.benchmark_id,
            models.name,
            models.revision,
            runs.label,
            runs.unsupported_types,
            runs.rows_sha256
        ) as found_id
    from runs
    inner join models on runs.model_id = models.model_id
    left join digested on runs.run_id = digested.run_id
)

select
    'run ' || run_id as subject,
    case
        when rows_sha256 <> found_sha256
            then 'rows_sha256 ' || rows_sha256 || ', its rows give ' || found_sha256
        else 'its name and rows give the id ' || found_id
    end as detail
from recomputed
where rows_sha256 <> found_sha256 or run_id <> found_id
