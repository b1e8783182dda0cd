-- entries: one row per entrant and member of $suite, version $version, that it has a
-- run of.
select
    model,
    revision,
    label,
    member,
    origin,
    run_id,
    result_sha256
from suite_entries
where suite = $suite and version = $version
