-- wrong_suites: one row per suite or edition whose document or content no longer gives
-- its digest, or whose document says another name.
-- Source: SUITES.md §4 (digest), §5.
select
    'suite ' || suite || '@' || version as subject,
    'sha256 ' || sha256 || ', its document gives ' || sha256(document) as detail
from suites
where sha256(document) <> sha256
union all
select
    'suite ' || suite || '@' || version as subject,
    'its document is of another suite' as detail
from suites
where
    json_extract_string(try_cast(document as json), '$.name') <> suite
    or json_extract_string(try_cast(document as json), '$.version') <> version
union all
select
    'edition ' || name as subject,
    'document_sha256 ' || document_sha256 || ', its document gives '
    || sha256(document) as detail
from editions
where sha256(document) <> document_sha256
union all
select
    'edition ' || name as subject,
    'content_sha256 ' || content_sha256 || ', its bytes give ' || sha256(content)
        as detail
from editions
where sha256(content) <> content_sha256
