-- kept_candidates: one row per kept tallies of a run of the selection, by its sheets
-- and rules, that have the seal asked for; once, should there be several. Whether seal
-- and digest are right is for the program to say.
-- Source: SCALE.md §2.
select
    runs.run_id,
    runs.benchmark_id,
    runs.n_repeats,
    rules.rule,
    kept_tallies.sheet_sha256,
    kept_tallies.rule_sha256,
    kept_tallies.sizes,
    kept_tallies.keys,
    kept_tallies.counts,
    kept_tallies.sums,
    kept_tallies.seal,
    tallies_digest(
        kept_tallies.sizes, kept_tallies.keys, kept_tallies.counts, kept_tallies.sums
    ) as found_sha256
from kept_tallies
inner join runs on kept_tallies.run_id = runs.run_id
inner join run_sheets as sheets
    on runs.benchmark_id = sheets.benchmark_id
    and kept_tallies.sheet_sha256 = sheets.sheet_sha256
inner join run_rules as rules on kept_tallies.rule_sha256 = rules.rule_sha256
where
    kept_tallies.judging_sha256 = $judging
    and kept_tallies.sealed_by = $sealed_by
qualify row_number() over (
    partition by runs.run_id, rules.rule
    order by kept_tallies.seal, kept_tallies.cells_sha256
) = 1
