-- orphan_rejects: one row per ingest that is not recorded, but refused lines.
-- Source: DESIGN.md §5.
select
    'ingest ' || rejects.ingest_id as subject,
    count(*) || ' refused lines of an unknown ingest' as detail
from rejects
left join ingests on rejects.ingest_id = ingests.ingest_id
where ingests.ingest_id is null
group by rejects.ingest_id
