-- class_cells: one row per run, rule, report row, kind whose items share their options,
-- and class: target mass in units of 2^-53: all of the class's, once for each answer
-- asked (target_units), what ok answers met of it (answered_units) and hit (hit_units),
-- and that of answers that said the class (said_units).
-- Source: SUITES.md §3.
with sided as (
    select
        run_id,
        rule,
        stratum,
        case side when 'gold' then gold_class else predicted_class end as class,
        case side when 'gold' then target_units else 0 end as answered_units,
        case
            when side = 'gold' and gold_class = predicted_class then target_units
            else 0
        end as hit_units,
        case side when 'said' then target_units else 0 end as said_units
    from confusions
    cross join (values ('gold'), ('said')) as sides (side)
),

summed as (
    select
        sided.run_id,
        sided.rule,
        kind_strata.report_row,
        kind_strata.kind,
        sided.class,
        sum(sided.answered_units) as answered_units,
        sum(sided.hit_units) as hit_units,
        sum(sided.said_units) as said_units
    from sided
    inner join runs on sided.run_id = runs.run_id
    inner join kind_strata
        on runs.benchmark_id = kind_strata.benchmark_id
        and sided.stratum = kind_strata.stratum
    group by
        sided.run_id,
        sided.rule,
        kind_strata.report_row,
        kind_strata.kind,
        sided.class
)

select
    runs.run_id,
    runs.benchmark_id,
    rules.rule,
    row_classes.report_row,
    row_classes.kind,
    row_classes.choice as class,
    row_classes.target_units * runs.n_repeats as target_units,
    coalesce(summed.answered_units, 0) as answered_units,
    coalesce(summed.hit_units, 0) as hit_units,
    coalesce(summed.said_units, 0) as said_units
from runs
cross join rules
inner join constants
    on runs.benchmark_id = constants.benchmark_id
    and constants.option_set is not null
inner join row_classes
    on constants.benchmark_id = row_classes.benchmark_id
    and constants.report_row = row_classes.report_row
    and constants.kind = row_classes.kind
    and row_classes.basis = 'class'
left join summed
    on runs.run_id = summed.run_id
    and rules.rule = summed.rule
    and row_classes.report_row = summed.report_row
    and row_classes.kind = summed.kind
    and row_classes.choice = summed.class
