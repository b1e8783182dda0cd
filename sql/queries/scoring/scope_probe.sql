-- scope_probe: made-up golden items of every type, modality, tier and kind of
-- reference, once of scoring $scoring and once of another.
select
    benchmark_id,
    1 as gold_revision,
    case when benchmark_id = 'asked' then $scoring else $scoring || ' not' end
        as scoring,
    concat_ws('-', type, modality, tier, reference_kind) as item_id,
    type,
    modality,
    tier,
    'family' as family,
    'domain' as domain,
    ['no', 'yes'] as options,
    2 as option_count,
    case when type <> 'multi_select' then 1 end as gold_index,
    case when type = 'multi_select' then ['yes'] end as gold_labels,
    case when reference_kind = 'given' then [0.5e0, 0.5e0] end as reference,
    reference_kind,
    cast(null as varchar) as weighted_tier
from (values ('asked'), ('other')) as benchmarks (benchmark_id)
cross join
    (values ('choice'), ('noul'), ('score'), ('multi_select')) as types (type)
cross join
    (values ('text'), ('image'), ('text_rendered')) as modalities (modality)
cross join (
    values ('easy'), ('standard'), ('judge'), ('hard'), (null)
) as tiers (tier)
cross join (values ('given'), ('one_hot'), (null)) as kinds (reference_kind)
