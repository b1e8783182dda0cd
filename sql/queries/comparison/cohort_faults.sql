-- cohort_faults: one row per run of $runs and item that a cohort may hold (see
-- cohort_items) for which the run has no ok answer, or not in every repeat one with a
-- distribution where that is asked for: why. added_later: the item came to the
-- benchmark after the run.
-- Source: SCORING.md §6 (cohorts), SUITES.md §2.
with asked as (
    select
        golden_items.item_id,
        items.seq
    from golden_items
    inner join items
        on golden_items.benchmark_id = items.benchmark_id
        and golden_items.item_id = items.item_id
    where
        golden_items.benchmark_id = $benchmark
        and ($modality is null or golden_items.modality = $modality)
        and (golden_items.type <> 'multi_select' or not $is_stated)
),

compared as (
    select
        run_id,
        seq,
        n_repeats
    from runs
    where run_id in (select unnest($runs))
),

answered as (
    select
        run_id,
        item_id,
        bool_or(status = 'ok') as is_ok,
        min(status) as status,
        count(*) filter (where status = 'ok' and probabilities is not null) as n_stated
    from predictions
    where run_id in (select unnest($runs))
    group by run_id, item_id
),

judged as (
    select
        compared.run_id,
        asked.item_id,
        case
            when
                answered.is_ok
                and $is_stated
                and answered.n_stated < compared.n_repeats
                then 'no_probabilities'
            when answered.is_ok then null
            when answered.status is not null then answered.status
            when asked.seq > compared.seq then 'added_later'
            else 'missing'
        end as fault
    from compared
    cross join asked
    left join answered
        on compared.run_id = answered.run_id
        and asked.item_id = answered.item_id
)

select
    run_id,
    item_id,
    fault
from judged
where fault is not null
order by run_id, item_id
