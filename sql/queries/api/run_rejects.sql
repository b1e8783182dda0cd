-- run_rejects: one row per line that the ingest of a run refused and kept.
select
    rejects.source_file,
    rejects.line,
    rejects.field,
    rejects.reason,
    rejects.text
from runs
inner join ingests on runs.seq = ingests.seq
inner join rejects on ingests.ingest_id = rejects.ingest_id
where runs.run_id = $run_id
order by
    rejects.source_file,
    rejects.line
