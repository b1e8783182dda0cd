-- suite_rules: one row per version of a suite: how its members become a score.
-- aggregate ranks, also are the rules of further columns; missing says what becomes of
-- an entrant without a member, unanswered of answers that are not ok.
-- Source: SUITES.md §4.
with documents as (
    select
        suite,
        version,
        sha256,
        seq,
        try_cast(document as json) as document
    from suites
)

select
    suite,
    version,
    document ->> 'method' as method_id,
    document ->> 'aggregate' as aggregate,
    document ->> 'missing' as missing,
    document ->> 'unanswered' as unanswered,
    try_cast(document ->> 'tie' as double) as tie,
    try_cast(document ->> 'scale' as double) as scale,
    try_cast(json_extract(document, '$.also') as varchar[]) as also,
    sha256,
    seq
from documents
