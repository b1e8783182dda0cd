-- tallies_digest: SHA-256 (hex) of the tallies of a run as they are kept: how many rows
-- each part has, the names of the rows, their counts and their sums.
-- Source: SCALE.md §2.
create or replace macro tallies_digest(sizes, names, counts, sums) as
    sha256(
        cast(to_json(names) as varchar) || cast(sizes as varchar)
        || cast(counts as varchar) || cast(sums as varchar)
    );
