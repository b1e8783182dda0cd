-- foreign_samples: one row per item of run $run_id's benchmark and repeat: the answer
-- as scored by the one method there is, or as returned where no distribution decides.
select
    terms.item_id,
    if(runs.n_repeats > 1, terms.repeat, null) as repeat,
    terms.type,
    terms.modality,
    terms.tier,
    terms.family,
    terms.domain,
    golden_items."group",
    terms.options,
    coalesce(terms.gold_labels, [terms.options[terms.gold_index + 1]]) as gold,
    terms.status,
    terms.reason,
    case
        when terms.status <> 'ok' then null
        when terms.type = 'multi_select' then terms.answer_labels
        when terms.top_label is not null then [terms.top_label]
    end as answer,
    terms.probabilities is not null as is_from_distribution,
    terms.is_right,
    terms.probabilities,
    terms.confidence,
    predictions.latency_s,
    predictions.input_tokens,
    predictions.output_tokens
from terms
inner join runs on terms.run_id = runs.run_id
inner join golden_items
    on terms.benchmark_id = golden_items.benchmark_id
    and terms.item_id = golden_items.item_id
left join predictions
    on terms.run_id = predictions.run_id
    and terms.item_id = predictions.item_id
    and terms.repeat = predictions.repeat
where terms.run_id = $run_id
order by terms.item_id, terms.repeat
