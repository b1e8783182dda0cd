-- run_digest: a run's id, the SHA-256 (hex) of the JSON array of its name, the types it
-- declared unsupported (sorted) and the digest of its rows.
-- Source: DESIGN.md §5 (identity).
create or replace macro run_digest(
    benchmark_id, model, revision, label, unsupported_types, rows_sha256
) as
    sha256(cast(json_array(
        benchmark_id, model, revision, label, unsupported_types, rows_sha256
    ) as varchar));
