-- kept_tallies_compared: one row per kept tallies of the runs that were counted again
-- that differ from these: whose seal they have, and the digest of what was counted.
-- Source: SCALE.md §2.
select
    kept_tallies.run_id,
    kept_tallies.sealed_by,
    counted.cells_sha256
from kept_tallies
inner join counted
    on kept_tallies.run_id = counted.run_id
    and kept_tallies.rule_sha256 = counted.rule_sha256
where
    kept_tallies.judging_sha256 = $judging
    and kept_tallies.sheet_sha256 = $sheet
    and counted.cells_sha256 <> tallies_digest(
        kept_tallies.sizes, kept_tallies.keys, kept_tallies.counts, kept_tallies.sums
    )
order by kept_tallies.run_id, kept_tallies.sealed_by
