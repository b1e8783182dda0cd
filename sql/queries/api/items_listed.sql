-- items_listed: one row per item of benchmark $benchmark with its gold: the label, the
-- level of a score, or the labels of a multi_select.
select
    benchmark_id,
    gold_revision,
    item_id,
    type,
    modality,
    tier,
    family,
    domain,
    options,
    case
        when type = 'score' then to_json(gold_index)
        when type = 'multi_select' then to_json(gold_labels)
        else to_json(options[gold_index + 1])
    end as gold,
    reference,
    "group",
    level_values,
    positive
from golden_items
where benchmark_id = $benchmark
order by item_id
