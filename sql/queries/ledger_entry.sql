-- ledger_entry: enters one ingest; its time is now or the last entry's, whichever is later.
insert into ingests
select
    $seq as seq,
    $ingest_id as ingest_id,
    greatest(cast($now as timestamp), max(ingested_at)) as ingested_at,
    $kind as kind,
    $jevdb_version as jevdb_version,
    $content_sha256 as content_sha256
from ingests
