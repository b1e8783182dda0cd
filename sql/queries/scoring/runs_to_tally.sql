-- runs_to_tally: one row per run of the selection: its benchmark, the digest of its
-- sheet, and how many rows it has.
-- Source: SCALE.md §2.
select
    runs.run_id,
    runs.benchmark_id,
    sheets.sheet_sha256,
    runs.n_rows,
    runs.n_repeats
from runs
inner join run_sheets as sheets on runs.benchmark_id = sheets.benchmark_id
order by runs.benchmark_id, runs.seq, runs.run_id
