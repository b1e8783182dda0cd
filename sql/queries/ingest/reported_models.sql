-- reported_models: one row per result of a model, the newest first: what it says of it.
select
    models.model_id,
    models.open_weights,
    models.parameters,
    models.meta
from reported_states
inner join models on reported_states.model_id = models.model_id
where
    reported_states.model = coalesce(
        (
            select shown
            from name_states
            where kind = 'model' and name = $model
        ),
        $model
    )
    and reported_states.revision is not distinct from $revision
order by reported_states.seq desc nulls last
