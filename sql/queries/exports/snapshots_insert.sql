-- snapshots_insert: keeps an export under a name.
insert into snapshots by name
select
    $snapshot_name as name,
    $bytes as content,
    $sha256 as content_sha256,
    $ingest as seq
