-- suite_bases: one row per version of a suite and member with a base: what is worth 0.
-- uniform is the mean of 1 / options; best_fixed the largest of it, of the best option
-- by name and of the best place (an item without it: 1 / options); constant the loss of
-- the mean target, null where the options (of RPS: how many they are)
-- differ between items.
-- Source: SUITES.md §3 (chance, brier_skill, rps_skill), §4 (base).
with totals as (
    select
        suite,
        version,
        member,
        any_value(metric) as metric,
        count(distinct item_id) as n,
        case
            when any_value(metric) = 'rps' then count(distinct option_count)
            else count(distinct options)
        end as n_option_sets,
        exact_sum(case when position = 1 then 1e0 / option_count end) as uniform_units,
        exact_sum(target * target) as square_units
    from suite_targets
    group by suite, version, member
),

named as (
    select
        suite,
        version,
        member,
        exact_sum(target) - exact_sum(1e0 / option_count) as gained_units
    from suite_targets
    group by suite, version, member, option
    union all
    select
        suite,
        version,
        member,
        exact_sum(target) - exact_sum(1e0 / option_count) as gained_units
    from suite_targets
    group by suite, version, member, position
),

best as (
    select
        suite,
        version,
        member,
        greatest(max(gained_units), 0) as gained_units
    from named
    group by suite, version, member
),

shares as (
    select
        suite_targets.suite,
        suite_targets.version,
        suite_targets.member,
        suite_targets.position,
        any_value(suite_targets.option_count) as option_count,
        mean_of_units(exact_sum(suite_targets.target), any_value(totals.n)) as share
    from suite_targets
    inner join totals
        on suite_targets.suite = totals.suite
        and suite_targets.version = totals.version
        and suite_targets.member = totals.member
    where totals.n_option_sets = 1
    group by
        suite_targets.suite,
        suite_targets.version,
        suite_targets.member,
        suite_targets.position
),

heaped as (
    select
        *,
        sum(share) over (
            partition by suite, version, member
            order by position
            rows between unbounded preceding and current row
        ) as share_up_to
    from shares
),

constants as (
    select
        suite,
        version,
        member,
        list_sum(list(share * share order by position)) as squares,
        list_sum(
            list(
                share_up_to * (1e0 - share_up_to) / (option_count - 1)
                order by position
            ) filter (where position < option_count)
        ) as ranked
    from heaped
    group by suite, version, member
)

select
    suite_members.suite,
    suite_members.version,
    suite_members.member,
    case
        when suite_members.base_rule is null then suite_members.base_value
        when suite_members.base_rule = 'uniform'
            then mean_of_units(totals.uniform_units, totals.n)
        when suite_members.base_rule = 'best_fixed'
            then mean_of_units(totals.uniform_units + best.gained_units, totals.n)
        when suite_members.metric = 'rps' then constants.ranked
        else
            mean_of_units(totals.square_units, totals.n) - constants.squares
    end as base
from suite_members
left join totals
    on suite_members.suite = totals.suite
    and suite_members.version = totals.version
    and suite_members.member = totals.member
left join best
    on suite_members.suite = best.suite
    and suite_members.version = best.version
    and suite_members.member = best.member
left join constants
    on suite_members.suite = constants.suite
    and suite_members.version = constants.version
    and suite_members.member = constants.member
where suite_members.transform = 'skill'
