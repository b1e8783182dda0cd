-- improper_items: one row per item whose options cannot be asked: fewer than two, the
-- same twice, or a noul that is not no and yes; or whose levels' values do not rise,
-- one for each level of a score; or whose positive class is none of its options.
-- Source: SCORING.md §1.
select
    'benchmark ' || benchmark_id || ', item ' || item_id as subject,
    type || ' with options ' || to_json(options)
    || coalesce(', values ' || to_json(level_values), '')
    || coalesce(', positive ' || to_json(positive), '') as detail
from items
where
    len(options) < 2
    or len(list_distinct(options)) < len(options)
    or (type = 'noul' and options <> ['no', 'yes'])
    or (
        level_values is not null
        and (
            type <> 'score'
            or len(level_values) <> len(options)
            or list_sort(list_distinct(level_values)) <> level_values
            or not isfinite(list_sum(level_values))
        )
    )
    or (
        positive is not null
        and (type = 'multi_select' or not list_contains(options, positive))
    )
