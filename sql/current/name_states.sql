-- name_states: one row per name of a model or benchmark that an event is about: what it
-- is called now, and whether it is retired. A benchmark goes by its id.
-- Source: DESIGN.md §5 (name_events).
select
    kind,
    name,
    max_by(value, seq) filter (where event = 'renamed') as shown,
    coalesce(
        max_by(event, seq) filter (where event in ('retired', 'restored'))
        = 'retired',
        false
    ) as is_retired
from name_events
group by kind, name
