-- improper_items: one row per item whose options cannot be asked: fewer than two, the
-- same twice, or a noul that is not no and yes.
-- Source: SCORING.md §1.
select
    'benchmark ' || benchmark_id || ', item ' || item_id as subject,
    type || ' with options ' || to_json(options) as detail
from items
where
    len(options) < 2
    or len(list_distinct(options)) < len(options)
    or (type = 'noul' and options <> ['no', 'yes'])
