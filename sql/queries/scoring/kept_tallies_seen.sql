-- kept_tallies_seen: one row per kept tallies: whether there is such a run, the seal,
-- the digest that the tallies say and the one that they give, and what else they are
-- kept under.
-- Source: SCALE.md §2.
select
    kept_tallies.run_id,
    runs.run_id is not null as is_there,
    runs.n_repeats,
    kept_tallies.judging_sha256,
    kept_tallies.sealed_by,
    kept_tallies.seal,
    kept_tallies.cells_sha256,
    tallies_digest(
        kept_tallies.sizes, kept_tallies.keys, kept_tallies.counts, kept_tallies.sums
    ) as found_sha256,
    kept_tallies.sheet_sha256,
    kept_tallies.rule_sha256
from kept_tallies
left join runs on kept_tallies.run_id = runs.run_id
