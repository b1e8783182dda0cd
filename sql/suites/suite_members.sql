-- suite_members: one row per version of a suite and member, numbered from 1 in the
-- order of its document.
-- report_row is the one asked for, or the one with most items. scope_row is the same
-- without the items that the member excludes, where it does (suite_scopes). base_value
-- is a base that the document says as a number, base_rule one that the items give.
-- Source: SUITES.md §4.
with documents as (
    select
        suite,
        version,
        try_cast(document as json) as document
    from suites
),

listed as (
    select
        suite,
        version,
        document ->> 'method' as method_id,
        document,
        unnest(json_extract(document, '$.member[*]')) as said,
        unnest(json_extract_string(document, '$.member[*].benchmark')) as benchmark_id,
        generate_subscripts(json_extract(document, '$.member[*]'), 1) as member
    from documents
),

sizes as (
    select
        benchmark_id,
        report_row,
        count(*) as n_items
    from scopes
    where
        subset = 'all'
        and benchmark_id in (select benchmark_id from listed)
    group by benchmark_id, report_row
),

largest as (
    select
        benchmark_id,
        report_row
    from sizes
    qualify row_number() over (
        partition by benchmark_id
        order by n_items desc, report_row asc
    ) = 1
),

placed as (
    select
        listed.*,
        coalesce(listed.said ->> 'row', largest.report_row) as report_row,
        try_cast(json_extract(listed.said, '$.exclude') as varchar[]) as excluded
    from listed
    left join largest on listed.benchmark_id = largest.benchmark_id
)

select
    suite,
    version,
    method_id,
    cast(member as integer) as member,
    benchmark_id,
    said ->> 'area' as area,
    suite_area_weight(document, said ->> 'area') as area_weight,
    said ->> 'row' as asked_row,
    report_row,
    report_row
    || case
        when len(excluded) = 0 then ''
        else ' of ' || suite || '@' || version || ' member ' || member
    end as scope_row,
    said ->> 'metric' as metric,
    said ->> 'kind' as kind,
    try_cast(said ->> 'weight' as double) as weight,
    said ->> 'transform' as transform,
    try_cast(said ->> 'base' as double) as base_value,
    case
        when try_cast(said ->> 'base' as double) is null then said ->> 'base'
    end as base_rule,
    try_cast(said ->> 'best' as double) as best,
    try_cast(said ->> 'clip' as boolean) as clip,
    try_cast(said ->> 'round' as integer) as digits,
    said ->> 'cluster' as cluster,
    excluded,
    said ->> 'exclude_reason' as exclude_reason
from placed
