-- editions_listed: one row per edition, in the order in which they were frozen.
with opened as (
    select
        name,
        try_cast(document as json) as document,
        content_sha256,
        seq
    from editions
)

select
    opened.name,
    opened.document ->> 'suite' as suite,
    opened.document ->> 'version' as version,
    try_cast(opened.document ->> 'seq' as bigint) as as_of,
    json_array_length(opened.document, '$.entrants') as n_entrants,
    opened.document ->> 'note' as note,
    opened.content_sha256,
    ingests.ingested_at as frozen_at,
    opened.seq
from opened
inner join ingests on opened.seq = ingests.seq
order by opened.seq
