-- run_rows: one row per prediction of run $run_id, as its canonical record has it: its
-- repeat where there are several, the status that was given, the answer and the
-- distribution by option name or level.
with asked as (
    select
        predictions.* exclude (repeat),
        case when runs.n_repeats > 1 then predictions.repeat end as repeat,
        items.options,
        case
            when items.type = 'score'
                then list_transform(
                    range(len(items.options)), lambda place: cast(place as varchar)
                )
            else items.options
        end as keys
    from predictions
    inner join runs on predictions.run_id = runs.run_id
    inner join items
        on runs.benchmark_id = items.benchmark_id
        and predictions.item_id = items.item_id
    where predictions.run_id = $run_id
)

select
    item_id,
    repeat,
    case
        when status = 'invalid' and reason = 'reported' then 'invalid'
        when status in ('unsupported', 'error') then status
    end as status,
    coalesce(
        json_extract(returned, '$.answer'),
        to_json(labels),
        to_json(level),
        to_json(options[label_index + 1])
    ) as answer,
    coalesce(
        json_extract(returned, '$.probabilities'),
        case
            when probabilities is not null
                then to_json(map_from_entries(list_zip(keys, probabilities)))
        end
    ) as probabilities,
    step_probabilities,
    latency_s,
    input_tokens,
    output_tokens,
    cost_usd,
    error,
    meta
from asked
order by item_id, repeat
