-- values: one row per entrant and member of the selected suite.
select
    model,
    revision,
    label,
    member,
    origin,
    run_id,
    result_sha256,
    raw,
    base,
    value,
    n,
    n_answers,
    answered,
    reason,
    is_left_out
from suite_values
order by entrant, member
