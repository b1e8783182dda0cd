-- repeated_digest: SHA-256 (hex) of a stored prediction as one of several answers to
-- its item: the first, repeat 0, is what a single answer would be; of others it is the
-- digest of the JSON array of the repeat and the digest of the answer.
-- Source: DESIGN.md §5 (identity), SUITES.md §2.
create or replace macro repeated_digest(repeat, digest) as
    case
        when repeat = 0 then digest
        else sha256(cast(json_array(repeat, digest) as varchar))
    end;
