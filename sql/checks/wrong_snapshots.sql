-- wrong_snapshots: one row per snapshot whose bytes no longer give its digest.
-- Source: DESIGN.md §5 (snapshots).
select
    'snapshot ' || name as subject,
    'content_sha256 ' || content_sha256 || ', its bytes give ' || sha256(content)
        as detail
from snapshots
where sha256(content) <> content_sha256
