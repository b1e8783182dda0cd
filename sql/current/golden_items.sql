-- golden_items: one row per item with its gold at the newest revision in golds.
-- gold_index and the options it points into count from 0. reference_kind says which
-- distribution TVD compares with, by the scoring's reference rule: given, one_hot, or
-- none. weighted_tier is the tier where tier weights apply by its tier rule.
-- Source: SCORING.md §1, §3 (TVD), §4 (tier weights), §6.
with revised as (
    select
        *,
        max(gold_revision) over (partition by benchmark_id) as newest_revision,
        max(gold_revision) over (partition by benchmark_id, item_id) as item_revision
    from golds
)

select
    items.benchmark_id,
    revised.newest_revision as gold_revision,
    benchmarks.scoring,
    items.item_id,
    items.type,
    items.modality,
    items.tier,
    items.family,
    items.domain,
    items."group",
    items.options,
    len(items.options) as option_count,
    items.level_values,
    items.positive,
    revised.label_index as gold_index,
    revised.labels as gold_labels,
    revised.reference,
    case
        when scoring_rules.reference_rule = 'one_hot' then 'one_hot'
        when revised.reference is not null then 'given'
        when
            scoring_rules.reference_rule = 'given_or_one_hot'
            and items.type = 'choice'
            and count(
                case when items.type in ('choice', 'noul') then revised.reference end
            ) over (partition by items.benchmark_id) = 0
            then 'one_hot'
    end as reference_kind,
    case
        when
            scoring_rules.tier_rule = 'always'
            or (
                scoring_rules.tier_rule = 'if_all'
                and count(*) over (partition by items.benchmark_id)
                = count(items.tier) over (partition by items.benchmark_id)
            )
            then items.tier
    end as weighted_tier
from revised
inner join items
    on revised.benchmark_id = items.benchmark_id
    and revised.item_id = items.item_id
inner join benchmarks on items.benchmark_id = benchmarks.benchmark_id
left join scoring_rules on benchmarks.scoring = scoring_rules.scoring
where revised.gold_revision = revised.item_revision
