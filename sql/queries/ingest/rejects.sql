-- rejects: stores the lines an ingest refused and was asked to keep, read from
-- refused.
insert into rejects by name
select
    ingests.ingest_id,
    refused.source_file,
    cast(refused.line as bigint) as line,
    cast(refused.field as varchar) as field,
    refused.reason,
    cast(refused.text as varchar) as text
from refused
cross join ingests
where ingests.seq = $seq
