-- ingest_contradictions: one row per item answered ok twice, differently, with the
-- first such rows.
-- Source: SCORING.md §2 (the same item twice).
select
    repeats.item_id,
    list(
        { 'source': judged.source_file, 'line': judged.source_line }
        order by judged.position
    ) as places
from repeats
inner join judged on repeats.position = judged.position
where
    repeats.n_distinct_ok > 1
    and judged.status = 'ok'
group by repeats.item_id
order by min(judged.position)
