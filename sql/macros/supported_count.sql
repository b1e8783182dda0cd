-- supported_count: items of a kind that the run did not declare unsupported. A declared
-- type without items counts 0, so that unsupported_type precedes no_rows.
-- Source: SCORING.md §3 (order of reasons), §4.
create or replace macro supported_count(n_supported, unsupported_types, kind) as
    coalesce(n_supported, case when array_contains(unsupported_types, kind) then 0 end);
