-- reported_entries: one row per entrant and member of $suite, version $version, that a
-- published result has the number of.
select
    model,
    revision,
    label,
    member,
    'reported' as origin,
    cast(null as varchar) as run_id,
    result_sha256
from suite_reported
where suite = $suite and version = $version
