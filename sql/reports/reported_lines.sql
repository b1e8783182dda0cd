-- reported_lines: one row per current published result and view: its numbers as they
-- were reported, under their publisher's definitions, which are in reported_metrics.
-- Nothing here is computed from rows. n is the ok rows of the view; what counts all
-- requested rows is in view overall alone. is_partial: rows that are not ok are left
-- out of accuracy, ECE, NLL, latency and intelligence_supported.
-- Source: FORMATS.md §1.3, §1.4.
select
    reported_states.benchmark_id,
    reported_states.model,
    reported_states.revision,
    reported_states.tags,
    'reported' as origin,
    reported_metrics.view,
    reported_states.requested_rows,
    reported_states.ok_rows,
    reported_states.unsupported_rows,
    reported_states.error_rows,
    max(
        case when reported_metrics.metric = 'accuracy' then reported_metrics.n end
    ) as n,
    max(
        case
            when reported_metrics.metric = 'intelligence' then reported_metrics.value
        end
    ) as intelligence,
    max(
        case
            when reported_metrics.metric = 'intelligence_supported'
                then reported_metrics.value
        end
    ) as intelligence_supported,
    max(
        case
            when reported_metrics.metric = 'primary_accuracy'
                then reported_metrics.value
        end
    ) as primary_accuracy,
    max(
        case when reported_metrics.metric = 'accuracy' then reported_metrics.value end
    ) as accuracy,
    max(
        case when reported_metrics.metric = 'ece' then reported_metrics.value end
    ) as ece,
    max(
        case when reported_metrics.metric = 'nll' then reported_metrics.value end
    ) as nll,
    max(
        case when reported_metrics.metric = 'latency_s' then reported_metrics.value end
    ) as latency_s,
    max(
        case when reported_metrics.metric = 'coverage' then reported_metrics.value end
    ) as coverage,
    reported_states.ok_rows < reported_states.requested_rows as is_partial,
    reported_states.submitted_at,
    reported_states.result_sha256,
    reported_states.seq
from reported_states
inner join reported_metrics
    on reported_states.result_sha256 = reported_metrics.result_sha256
where reported_states.is_current and not reported_states.is_retired
group by
    reported_states.benchmark_id,
    reported_states.model,
    reported_states.revision,
    reported_states.tags,
    reported_metrics.view,
    reported_states.requested_rows,
    reported_states.ok_rows,
    reported_states.unsupported_rows,
    reported_states.error_rows,
    reported_states.submitted_at,
    reported_states.result_sha256,
    reported_states.seq
