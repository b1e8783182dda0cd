-- ledger_entry: enters one ingest; its time is now or the last entry's, whichever is
-- later.
insert into ingests
select
    cast($seq as bigint) as seq,
    cast($ingest_id as varchar) as ingest_id,
    greatest(cast($now as timestamp), max(ingested_at)) as ingested_at,
    cast($kind as varchar) as kind,
    cast($jevdb_version as varchar) as jevdb_version,
    cast($content_sha256 as varchar) as content_sha256
from ingests
