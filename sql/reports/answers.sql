-- answers: one row per current public run, item of its benchmark and repeat, with all
-- that is usually asked of an answer, so that no join is needed.
-- gold and answer are labels as text, of several options all of them; the answer of a
-- rubric is the level that it is nearest to. A missing or unusable answer is null, and
-- wrong. date is when the run started, else when it was stored.
-- Source: docs/sql.md (the ten usual questions).
select
    run_states.run_id,
    run_states.benchmark_id,
    run_states.model,
    run_states.revision,
    run_states.label,
    scored.item_id,
    scored.repeat,
    scored.type,
    scored.modality,
    scored.tier,
    scored.family,
    scored.domain,
    scored.status,
    coalesce(
        scored.options[scored.gold_index + 1], labels_text(scored.gold_labels)
    ) as gold,
    coalesce(scored.top_label, labels_text(scored.answer_labels)) as answer,
    scored.is_right,
    scored.confidence,
    scored.gold_probability as p_gold,
    predictions.cost_usd,
    predictions.latency_s,
    predictions.input_tokens,
    predictions.output_tokens,
    coalesce(run_states.started_at, ingests.ingested_at) as date
from scored
inner join run_states on scored.run_id = run_states.run_id
inner join ingests on run_states.seq = ingests.seq
left join predictions
    on scored.run_id = predictions.run_id
    and scored.item_id = predictions.item_id
    and scored.repeat = predictions.repeat
where
    run_states.is_current
    and not run_states.is_private
