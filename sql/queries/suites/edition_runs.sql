-- edition_runs: one row per run: what became of it.
select
    run_id,
    is_withdrawn,
    is_superseded,
    is_private
from run_states
