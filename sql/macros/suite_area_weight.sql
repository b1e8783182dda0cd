-- suite_area_weight: what an area weighs in the document of a suite (JSON); 1 where the
-- document has no such area.
-- Source: SUITES.md §4 (areas).
create or replace macro suite_area_weight(document, area) as
    coalesce(
        try_cast(json_extract(document, '$.areas') as map(varchar, double))[area], 1e0
    );
