-- snapshots_listed: one row per snapshot, the newest first.
select
    snapshots.name,
    ingests.ingested_at as kept_at,
    strlen(snapshots.content) as bytes,
    snapshots.content_sha256 as sha256,
    snapshots.seq
from snapshots
inner join ingests on snapshots.seq = ingests.seq
order by snapshots.seq desc
