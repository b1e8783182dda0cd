-- suite_counted: one row per version of a suite, entrant and member that counts: its
-- value, 0 where the suite takes missing ones as zero, else null.
-- is_complete is whether the entrant has a value of each; is_compared whether its
-- values are compared with those of others (Borda, win rate).
-- Source: SUITES.md §4 (missing).
with counted as (
    select
        suite_values.suite,
        suite_values.version,
        suite_values.entrant,
        suite_values.member,
        suite_values.area,
        suite_members.weight,
        suite_members.area_weight,
        suite_rules.missing,
        suite_values.value is null as is_missing,
        case
            when suite_values.value is null and suite_rules.missing = 'zero' then 0e0
            else suite_values.value
        end as value,
        bool_and(suite_values.value is not null) over (
            partition by
                suite_values.suite, suite_values.version, suite_values.entrant
        ) as is_complete
    from suite_values
    inner join suite_members
        on suite_values.suite = suite_members.suite
        and suite_values.version = suite_members.version
        and suite_values.member = suite_members.member
    inner join suite_rules
        on suite_values.suite = suite_rules.suite
        and suite_values.version = suite_rules.version
    where not suite_values.is_left_out
)

select
    *,
    value is not null and (is_complete or missing <> 'unranked') as is_compared
from counted
