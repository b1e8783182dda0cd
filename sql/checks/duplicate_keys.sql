-- duplicate_keys: one row per key that two rows of a table share. The primary keys of a
-- file refuse them; a damaged index, or a file put together otherwise, may not, and
-- predictions, of which there is one a run, item and repeat, have no key.
-- Source: DESIGN.md §5 (keys).
select
    'benchmark ' || benchmark_id || ', item ' || item_id as subject,
    count(*) || ' items' as detail
from items
group by benchmark_id, item_id
having count(*) > 1
union all
select
    'benchmark ' || benchmark_id || ', item ' || item_id as subject,
    count(*) || ' golds in revision ' || gold_revision as detail
from golds
group by benchmark_id, gold_revision, item_id
having count(*) > 1
union all
select
    'run ' || run_id || ', item ' || item_id as subject,
    count(*) || ' predictions'
    || case when repeat > 0 then ' of repeat ' || repeat else '' end as detail
from predictions
group by run_id, item_id, repeat
having count(*) > 1
union all
select
    'run ' || run_id as subject,
    count(*) || ' runs' as detail
from runs
group by run_id
having count(*) > 1
union all
select
    'model ' || model_id as subject,
    count(*) || ' models' as detail
from models
group by model_id
having count(*) > 1
union all
select
    'benchmark ' || benchmark_id as subject,
    count(*) || ' benchmarks' as detail
from benchmarks
group by benchmark_id
having count(*) > 1
