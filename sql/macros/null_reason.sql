-- null_reason: why a metric has no value, the first that holds: the run declared the
-- type unsupported, the row has no such item, no item has a reference, no row has a
-- distribution.
-- Source: SCORING.md §3.
create or replace macro null_reason(value, n_asked, n_supported, n_scope) as
    case
        when value is not null then null
        when n_supported = 0 then 'unsupported_type'
        when coalesce(n_asked, 0) = 0 then 'no_rows'
        when coalesce(n_scope, 0) = 0 then 'no_reference'
        else 'no_probabilities'
    end;
