-- kept_tallies_insert: keeps the tallies that were counted, unless the same are kept
-- under this seal.
-- Source: SCALE.md §2.
insert into kept_tallies by name
select counted.*
from counted
anti join kept_tallies
    on counted.run_id = kept_tallies.run_id
    and counted.sheet_sha256 = kept_tallies.sheet_sha256
    and counted.rule_sha256 = kept_tallies.rule_sha256
    and counted.judging_sha256 = kept_tallies.judging_sha256
    and counted.seal = kept_tallies.seal
    and counted.cells_sha256 = kept_tallies.cells_sha256
