-- digest_of: SHA-256 (hex) over the digests of some rows, one after the other in the
-- order of their keys.
-- Source: DESIGN.md §5 (identity).
create or replace macro digest_of(digest, key) as
    sha256(string_agg(digest, '' order by key));
