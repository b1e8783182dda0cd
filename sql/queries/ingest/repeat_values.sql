-- repeat_values: creates repeat_values, one row per value by which judged rows tell the
-- repeats of an item apart, numbered from 0: as integers where all are, else by code
-- point. Rows without a value have none.
-- Source: SUITES.md §2 (numbering).
create or replace temp table repeat_values as
with met as (
    select
        repeat_name as value,
        case
            when regexp_full_match(repeat_name, '0|-?[1-9][0-9]{0,17}')
                then cast(repeat_name as bigint)
        end as number,
        count(*) as n
    from judged
    where repeat_name is not null
    group by repeat_name
),

told as (
    select
        *,
        count(*) over () = count(number) over () as is_of_numbers
    from met
)

select
    value,
    cast(
        row_number() over (
            order by
                case when is_of_numbers then number end,
                value
        ) - 1 as integer
    ) as repeat,
    n
from told
