-- confusions: one row per run, stratum whose items share their options, rule, gold
-- class and predicted class, of ok answers: the target mass of the gold class, in units
-- of 2^-53, where the predicted class was said; null where none was (a noul at 1/2, by
-- a method that takes it for no pick). An answer that is not ok predicts nothing: its
-- mass is what the classes of stratum_classes have beyond these.
-- Source: SUITES.md §3.
select
    terms.run_id,
    terms.benchmark_id,
    targets.stratum,
    terms.rule,
    targets.class as gold_class,
    terms.top_label as predicted_class,
    count(*) as n,
    exact_sum(targets.target) as target_units
from terms
inner join targets
    on terms.benchmark_id = targets.benchmark_id
    and terms.item_id = targets.item_id
inner join stratum_sets
    on targets.benchmark_id = stratum_sets.benchmark_id
    and targets.stratum = stratum_sets.stratum
where
    terms.is_ok
    and targets.target > 0e0
    and stratum_sets.option_set is not null
group by
    terms.run_id,
    terms.benchmark_id,
    targets.stratum,
    terms.rule,
    targets.class,
    terms.top_label
