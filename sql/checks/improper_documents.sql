-- improper_documents: one row per JSON document of a table that has another shape than
-- jevdb stores there.
-- Source: canonical.md (settings, meta, returned).
with documents as (
    select
        'runs.settings of run ' || run_id as subject,
        json_type(settings) as type,
        'OBJECT' as expected
    from runs
    union all
    select
        'runs.source_files of run ' || run_id as subject,
        json_type(source_files) as type,
        'ARRAY' as expected
    from runs
    union all
    select
        'models.meta of model ' || model_id as subject,
        json_type(meta) as type,
        'OBJECT' as expected
    from models
    union all
    select
        'items.meta of item ' || to_json(item_id) || ' of ' || benchmark_id
            as subject,
        json_type(meta) as type,
        'OBJECT' as expected
    from items
    union all
    select
        'predictions.meta of run ' || run_id || ', item ' || to_json(item_id)
            as subject,
        json_type(meta) as type,
        'OBJECT' as expected
    from predictions
    union all
    select
        'predictions.returned of run ' || run_id || ', item ' || to_json(item_id)
            as subject,
        json_type(returned) as type,
        'OBJECT' as expected
    from predictions
    union all
    select
        'reported_results.meta of ' || result_sha256 as subject,
        json_type(meta) as type,
        'OBJECT' as expected
    from reported_results
)

select
    subject,
    lower(type) || ' where ' || lower(expected) || ' belongs' as detail
from documents
where type not in (expected, 'NULL')
