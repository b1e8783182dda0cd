-- constants: one row per report row and kind: what an answer that never looks at the
-- question gets, the same for every run.
-- uniform is the mean of 1 / K; best_fixed the largest of it, of the best label and of
-- the best place to answer always, an item that lacks it counting 1 / K. The constants
-- are the losses of the mean target of all items. option_set and positive are null
-- where the items differ, and so are the constants then. n_classes have target mass;
-- is_level is whether all items have the same target.
-- Source: SUITES.md §3.
with placed as (
    select
        benchmark_id,
        report_row,
        kind,
        cast(sum(n_items) as bigint) as n_items,
        sum(chance_units) as chance_units,
        case
            when min(option_set) = max(option_set) and count(option_set) = count(*)
                then min(option_set)
        end as option_set,
        case
            when min(positive) = max(positive) and count(positive) = count(*)
                then min(positive)
        end as positive
    from kind_strata
    group by benchmark_id, report_row, kind
),

chosen as (
    select
        placed.benchmark_id,
        placed.report_row,
        placed.kind,
        placed.n_items,
        placed.chance_units,
        placed.option_set,
        placed.positive,
        row_classes.basis,
        row_classes.target_units,
        placed.chance_units - row_classes.chance_units + row_classes.target_units
            as fixed_units,
        mean_of_units(row_classes.square_units, placed.n_items)
        - mean_of_units(row_classes.target_units, placed.n_items)
        * mean_of_units(row_classes.target_units, placed.n_items) as spread,
        case
            when
                row_classes.place
                < max(row_classes.place) over (
                    partition by
                        placed.benchmark_id,
                        placed.report_row,
                        placed.kind,
                        row_classes.basis
                )
                then
                    mean_of_units(row_classes.reached_square_units, placed.n_items)
                    - mean_of_units(row_classes.reached_units, placed.n_items)
                    * mean_of_units(row_classes.reached_units, placed.n_items)
        end as ranked_spread,
        row_classes.least = row_classes.most as is_level
    from placed
    inner join row_classes
        on placed.benchmark_id = row_classes.benchmark_id
        and placed.report_row = row_classes.report_row
        and placed.kind = row_classes.kind
),

summed as (
    select
        benchmark_id,
        report_row,
        kind,
        n_items,
        option_set,
        positive,
        mean_of_units(chance_units, n_items) as uniform,
        mean_of_units(greatest(chance_units, max(fixed_units)), n_items) as best_fixed,
        cast(count_if(basis = 'class' and target_units > 0) as bigint) as n_classes,
        bool_and(is_level) filter (where basis = 'class') as is_level,
        mean_of_units(exact_sum(case when basis = 'class' then spread end), 1)
            as squared_constant,
        mean_of_units(
            exact_sum(case when basis = 'class' then ranked_spread end),
            count_if(basis = 'class') - 1
        ) as ranked_constant
    from chosen
    group by
        benchmark_id, report_row, kind, n_items, chance_units, option_set, positive
)

select
    summed.benchmark_id,
    summed.report_row,
    summed.kind,
    summed.n_items,
    summed.option_set,
    summed.positive,
    summed.uniform,
    summed.best_fixed,
    summed.n_classes,
    summed.is_level,
    case when summed.option_set is not null then summed.squared_constant end
        as squared_constant,
    case
        when summed.option_set is not null and summed.kind = 'score'
            then summed.ranked_constant
    end as ranked_constant,
    case when summed.kind = 'score' then value_constants.value_constant end
        as value_constant
from summed
left join value_constants
    on summed.benchmark_id = value_constants.benchmark_id
    and summed.report_row = value_constants.report_row
