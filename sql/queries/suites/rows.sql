-- rows: one row per answer of a run of the selected suite that adds to a number: by
-- number of the run and the item, what it adds to each; a term it lacks is NaN.
select
    suite_runs.place as run,
    suite_items.place as item,
    cast(terms.is_ok as double) as is_ok,
    cast(terms.is_right as double) as is_right,
    coalesce(cast(terms.is_clear as double), 0e0) as is_clear,
    case when terms.is_ok then coalesce(terms.scaled_rating_error, 0e0) else 0e0 end
        as scaled_rating_error,
    case when terms.is_ok then coalesce(terms.top_index, -1) else -1 end as said,
    coalesce(columns('^term_'), cast('nan' as double))
from terms
inner join suite_runs on terms.run_id = suite_runs.run_id
inner join suite_items
    on terms.benchmark_id = suite_items.benchmark_id
    and terms.item_id = suite_items.item_id
where terms.is_ok or terms.is_uniform
