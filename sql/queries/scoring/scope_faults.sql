-- scope_faults: one row per thing that is wrong with scope_rows, the rows that a scope
-- of scoring $scoring gives for golden_items, and how many rows have it.
with allowed as (
    select *
    from (
        values
        ('all', ['choice', 'noul', 'score', 'multi_select']),
        ('index', ['choice', 'noul', 'score']),
        ('ece_choice', ['choice']),
        ('ece_noul', ['noul']),
        ('ece_score', ['score']),
        ('pooled', ['choice', 'noul']),
        ('tvd', ['choice', 'noul']),
        ('rps', ['score']),
        ('multi_select', ['multi_select'])
    ) as subsets (subset, types)
),

covered as (
    select distinct
        benchmark_id,
        report_row,
        item_id
    from scope_rows
    where subset = 'all'
),

judged as (
    select
        case
            when
                scope_rows.benchmark_id is null
                or scope_rows.report_row is null
                or scope_rows.subset is null
                or scope_rows.item_id is null
                then 'a null'
            when
                scope_rows.report_row = '' or contains(scope_rows.report_row, '/')
                or contains(scope_rows.report_row, '@')
                then 'a report row that is empty or holds / or @'
            when golden_items.item_id is null then 'an item that there is not'
            when golden_items.scoring <> $scoring
                then
                    'an item of another scoring; add: where scoring = ''' || $scoring
                    || ''''
            when allowed.subset is null
                then 'an unknown subset: ' || scope_rows.subset
            when not list_contains(allowed.types, golden_items.type)
                then
                    'the subset ' || scope_rows.subset || ' holds a '
                    || golden_items.type || ' item'
            when covered.item_id is null
                then
                    'the subset ' || scope_rows.subset
                    || ' holds an item that the subset all does not'
            when
                count(*) over (
                    partition by
                        scope_rows.benchmark_id,
                        scope_rows.report_row,
                        scope_rows.subset,
                        scope_rows.item_id
                ) > 1
                then 'the same row twice'
        end as fault
    from scope_rows
    left join golden_items
        on scope_rows.benchmark_id = golden_items.benchmark_id
        and scope_rows.item_id = golden_items.item_id
    left join covered
        on scope_rows.benchmark_id = covered.benchmark_id
        and scope_rows.report_row = covered.report_row
        and scope_rows.item_id = covered.item_id
    left join allowed on scope_rows.subset = allowed.subset
)

select
    fault,
    count(*) as n_rows
from judged
where fault is not null
group by fault
order by n_rows desc, fault asc
