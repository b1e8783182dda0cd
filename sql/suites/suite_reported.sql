-- suite_reported: one row per version of a suite, member and current published result
-- that has the member's number.
-- Of Decision Bench files the accuracy is that over all rows asked for.
-- Source: SUITES.md §4 (reported values).
with numbers as (
    select
        reported_states.benchmark_id,
        reported_states.result_sha256,
        reported_states.model,
        reported_states.revision,
        nullif(array_to_string(reported_states.tags, ','), '') as label,
        reported_metrics.view as report_row,
        case
            when json_extract_string(reported_states.meta, '$.format') = 'table'
                then reported_metrics.metric
            when reported_metrics.metric = 'primary_accuracy' then 'accuracy'
            when reported_metrics.metric = 'intelligence' then 'intelligence'
        end as number,
        reported_metrics.value,
        reported_metrics.n,
        reported_states.ok_rows / nullif(reported_states.requested_rows, 0) as answered,
        reported_metrics.is_partial
    from reported_states
    inner join reported_metrics
        on reported_states.result_sha256 = reported_metrics.result_sha256
    where reported_states.is_current and not reported_states.is_retired
)

select
    suite_members.suite,
    suite_members.version,
    suite_members.member,
    numbers.result_sha256,
    numbers.model,
    numbers.revision,
    numbers.label,
    numbers.value,
    numbers.n,
    numbers.answered,
    numbers.is_partial
from suite_members
inner join numbers
    on suite_members.benchmark_id = numbers.benchmark_id
    and numbers.number in (
        suite_members.metric || '_' || suite_members.kind,
        case when suite_members.kind = 'all' then suite_members.metric end
    )
where
    numbers.value is not null
    and numbers.report_row in (
        coalesce(suite_members.asked_row, 'overall'), suite_members.report_row
    )
qualify row_number() over (
    partition by
        suite_members.suite,
        suite_members.version,
        suite_members.member,
        numbers.model,
        numbers.revision,
        numbers.label
    order by numbers.report_row = suite_members.report_row desc nulls last
) = 1
