-- rows: one row per ok answer of a run of the selected suite: by number of the run and
-- the item, what the row adds to each number; a term it lacks is NaN.
select
    suite_runs.place as run,
    suite_items.place as item,
    1e0 as is_ok,
    cast(terms.is_right as double) as is_right,
    coalesce(cast(terms.is_clear as double), 0e0) as is_clear,
    coalesce(terms.scaled_rating_error, cast('nan' as double)) as scaled_rating_error,
    coalesce(columns('^term_'), cast('nan' as double))
from terms
inner join suite_runs on terms.run_id = suite_runs.run_id
inner join suite_items
    on terms.benchmark_id = suite_items.benchmark_id
    and terms.item_id = suite_items.item_id
where terms.is_ok
