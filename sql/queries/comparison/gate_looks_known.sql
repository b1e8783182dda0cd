-- gate_looks_known: one row per candidate that the approval $approval met in report row
-- $report_row, by method $method_id and in mode $require: its look, and whether it is
-- $run_id or has the rows of that run. A look counts though its run is not stored here;
-- a candidate of a suite is no run, but the digest of the rows of its runs.
-- Source: INFERENCE.md §6.2.
select
    gate_looks.look,
    gate_looks.run_id = $run_id
    or coalesce(candidates.rows_sha256 = asked.rows_sha256, false) as is_same
from gate_looks
left join runs as asked on asked.run_id = $run_id
left join runs as candidates on gate_looks.run_id = candidates.run_id
where
    gate_looks.approval = $approval
    and gate_looks.report_row = $report_row
    and gate_looks.method_id = $method_id
    and gate_looks.require = $require
order by gate_looks.look, gate_looks.seq
