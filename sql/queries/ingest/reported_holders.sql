-- reported_holders: one row per result stored under a name, and whether it holds it.
select
    result_sha256,
    bool_or(is_current) as is_current
from reported_states
where
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
    and tags = $tags
group by result_sha256
