-- digest_of: SHA-256 (hex) over the digests of some rows, one after the other in the
-- order of their keys, and of their repeats where they are answers.
-- Source: DESIGN.md §5 (identity), SUITES.md §2.
create or replace macro digest_of(digest, key, repeat := 0) as
    sha256(string_agg(digest, '' order by key, repeat));
