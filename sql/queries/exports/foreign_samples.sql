-- foreign_samples: one row per item of run $run_id's benchmark and repeat: the answer
-- as scored, or as returned where no distribution decides.
select
    scored.item_id,
    scored.type,
    scored.modality,
    scored.tier,
    scored.family,
    scored.domain,
    golden_items."group",
    scored.options,
    coalesce(scored.gold_labels, [scored.options[scored.gold_index + 1]]) as gold,
    scored.status,
    scored.reason,
    case
        when scored.status <> 'ok' then null
        when scored.type = 'multi_select' then scored.answer_labels
        when scored.top_label is not null then [scored.top_label]
    end as answer,
    scored.probabilities is not null as is_from_distribution,
    scored.is_right,
    scored.probabilities,
    scored.confidence,
    predictions.latency_s,
    predictions.input_tokens,
    predictions.output_tokens
from scored
inner join golden_items
    on scored.benchmark_id = golden_items.benchmark_id
    and scored.item_id = golden_items.item_id
left join predictions
    on scored.run_id = predictions.run_id
    and scored.item_id = predictions.item_id
    and scored.repeat = predictions.repeat
where scored.run_id = $run_id
order by scored.item_id, scored.repeat
