-- wrong_ingest_digests: one row per ingest whose digest is not that of what it stored:
-- of items with their gold, or the digest that a run, a result, a model, a kept export,
-- a scoring, a suite or an edition goes by.
-- Source: DESIGN.md §5 (ingests, identity).
with digested as (
    select
        golds.seq,
        digest_of(
            item_digest(
                items.item_id, items.type, items.modality, items.tier, items.family,
                items.domain, items.options, items.meta, golds.label_index,
                golds.labels, golds.reference, items."group", items.level_values,
                items.positive
            ),
            items.item_id
        ) as content_sha256
    from golds
    inner join items
        on golds.benchmark_id = items.benchmark_id
        and golds.item_id = items.item_id
    group by golds.seq
),

stored as (
    select
        'items' as kind,
        seq,
        content_sha256
    from digested
    union all
    select
        'run' as kind,
        seq,
        run_id as content_sha256
    from runs
    union all
    select
        'results' as kind,
        seq,
        result_sha256 as content_sha256
    from reported_results
    union all
    select
        'results' as kind,
        seq,
        model_id as content_sha256
    from models
    union all
    select
        'snapshot' as kind,
        seq,
        sha256(content) as content_sha256
    from snapshots
    union all
    select
        'scope' as kind,
        seq,
        sha256(sql) as content_sha256
    from scope_versions
    union all
    select
        'suite' as kind,
        seq,
        sha256(document) as content_sha256
    from suites
    union all
    select
        'edition' as kind,
        seq,
        sha256(content) as content_sha256
    from editions
)

select
    'ingest ' || ingests.seq as subject,
    'content_sha256 ' || ingests.content_sha256 || ', what it stored as '
    || ingests.kind || ' gives ' || coalesce(min(stored.content_sha256), 'none')
        as detail
from ingests
left join stored on ingests.seq = stored.seq and ingests.kind = stored.kind
where
    ingests.kind in (
        'items', 'run', 'results', 'snapshot', 'scope', 'suite', 'edition'
    )
    and ingests.content_sha256 is not null
group by ingests.seq, ingests.kind, ingests.content_sha256
having not coalesce(
    bool_or(stored.content_sha256 = ingests.content_sha256), false
)
