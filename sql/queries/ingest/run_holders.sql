-- run_holders: one row per run that has these rows already, or holds this name, the one
-- with the rows first. A former name of a model is its name of now. A superseded run
-- holds no name; a withdrawn one keeps its own.
select
    run_id,
    run_id = $run_id as has_rows,
    is_withdrawn,
    is_superseded,
    is_private,
    rows_sha256,
    unsupported_types
from run_states
where
    run_id = $run_id
    or (
        benchmark_id = $benchmark_id
        and model = coalesce(
            (
                select shown
                from name_states
                where kind = 'model' and name = $model
            ),
            $model
        )
        and revision is not distinct from $revision
        and label is not distinct from $label
        and not is_superseded
    )
order by run_id = $run_id desc, seq desc
