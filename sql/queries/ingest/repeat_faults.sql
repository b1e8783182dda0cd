-- repeat_faults: one row: how many rows and items there are, how many different values
-- tell repeats apart, how many different pairs of item and value there are, the first
-- rows without a value, and the first row.
-- Reads judged and repeat_values.
-- Source: SUITES.md §2 (ingest).
select
    count(*) as n_rows,
    count(distinct item_id) as n_items,
    (select count(*) from repeat_values) as n_values,
    count(distinct { 'item': item_id, 'value': repeat_name }) filter (
        where repeat_name is not null
    ) as n_answers,
    min({ 'position': position, 'source': source_file, 'line': source_line }, 1000)
    filter (where repeat_name is null) as unnumbered,
    min({ 'position': position, 'source': source_file, 'line': source_line }) as first
from judged
