-- answers: one row per member of the selected suite and answer of $entrant to an item
-- of its number: what was said, what gold is, what it adds.
select
    suite_members.member,
    suite_members.benchmark_id,
    suite_members.metric,
    suite_entries.run_id,
    scored.item_id,
    scored.repeat,
    scored.status,
    scored.top_label,
    scored.options[scored.gold_index + 1] as gold,
    scored.is_right,
    scored.confidence,
    scored.gold_probability
from suite_entries
inner join suite_members
    on suite_entries.suite = suite_members.suite
    and suite_entries.version = suite_members.version
    and suite_entries.member = suite_members.member
inner join metric_kinds
    on suite_members.metric = metric_kinds.metric
    and suite_members.kind = metric_kinds.kind
inner join suite_scopes
    on suite_members.benchmark_id = suite_scopes.benchmark_id
    and suite_members.scope_row = suite_scopes.report_row
    and coalesce(metric_kinds.subset, 'all') = suite_scopes.subset
inner join scored
    on suite_entries.run_id = scored.run_id
    and suite_scopes.item_id = scored.item_id
    and metric_kinds.type in ('all', scored.type)
where suite_entries.entrant = $entrant
order by suite_members.member, scored.item_id, scored.repeat
