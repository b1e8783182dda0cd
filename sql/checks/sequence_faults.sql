-- sequence_faults: one row per gap in the sequence of ingests, per time that runs
-- backwards, and per sequence that a row has but no ingest.
-- Source: DESIGN.md §5 (ingests).
with ordered as (
    select
        seq,
        ingested_at,
        lag(seq) over (order by seq) as last_seq,
        lag(ingested_at) over (order by seq) as last_ingested_at
    from ingests
),

used as (
    select
        seq,
        'benchmarks' as name
    from benchmarks
    union
    select
        seq,
        'items' as name
    from items
    union
    select
        seq,
        'gold_revisions' as name
    from gold_revisions
    union
    select
        seq,
        'golds' as name
    from golds
    union
    select
        seq,
        'models' as name
    from models
    union
    select
        seq,
        'runs' as name
    from runs
    union
    select
        seq,
        'run_events' as name
    from run_events
    union
    select
        seq,
        'name_events' as name
    from name_events
    union
    select
        seq,
        'methods' as name
    from methods
    union
    select
        seq,
        'tier_weights' as name
    from tier_weights
    union
    select
        seq,
        'report_rows' as name
    from report_rows
    union
    select
        seq,
        'scorings' as name
    from scorings
    union
    select
        seq,
        'reported_results' as name
    from reported_results
    union
    select
        seq,
        'snapshots' as name
    from snapshots
    union
    select
        seq,
        'scope_versions' as name
    from scope_versions
    union
    select
        seq,
        'gate_looks' as name
    from gate_looks
    union
    select
        seq,
        'suites' as name
    from suites
    union
    select
        seq,
        'editions' as name
    from editions
)

select
    'ingest ' || seq as subject,
    case
        when seq <> coalesce(last_seq, -1) + 1
            then 'follows ' || coalesce(cast(last_seq as varchar), 'nothing')
        else 'its time is before that of the ingest before'
    end as detail
from ordered
where seq <> coalesce(last_seq, -1) + 1 or ingested_at < last_ingested_at
union all
select
    'ingest ' || used.seq as subject,
    'not recorded, but has rows in ' || used.name as detail
from used
left join ingests on used.seq = ingests.seq
where ingests.seq is null
