-- suite_scores: one row per version of a suite and entrant: its score, which the rule
-- aggregate of the suite makes, and what each rule makes of the same values, in points
-- of the suite's scale.
-- breadth is the rule geometric. is_ranked is false without a score, and where members
-- that are not there were skipped. Values are added in the order of the members.
-- Source: SUITES.md §4.
with entrants as (
    select
        suite,
        version,
        entrant,
        model,
        revision,
        label,
        count(*) filter (where not is_left_out) as n_members,
        count(*) filter (where not is_left_out and value is null) as n_missing,
        bool_or(origin = 'reported') as has_reported
    from suite_values
    group by suite, version, entrant, model, revision, label
),

over_members as (
    select
        suite,
        version,
        entrant,
        list_sum(list(weight * value order by member))
        / list_sum(list(weight order by member) filter (where value is not null))
            as mean_value,
        median(value) as median_value
    from suite_counted
    group by suite, version, entrant
),

over_areas as (
    select
        suite,
        version,
        entrant,
        list_sum(list(weight * value order by area))
        / list_sum(list(weight order by area) filter (where value is not null))
            as area_value,
        list_sum(
            list(
                weight * ln(nullif(greatest(0.1e0 + 0.9e0 * value, 0e0), 0e0))
                order by area
            ) filter (
                where value is not null
            )
        )
        / list_sum(list(weight order by area) filter (where value is not null))
            as mean_logarithm,
        bool_and(0.1e0 + 0.9e0 * value > 0) as is_positive
    from suite_areas
    group by suite, version, entrant
),

over_points as (
    select
        suite,
        version,
        entrant,
        list_avg(list(points order by member)) as points
    from suite_points
    group by suite, version, entrant
),

compared as (
    select
        suite,
        version,
        entrant,
        rank() over (partition by suite, version, member order by value desc) - 1
            as n_above,
        count(*) over (partition by suite, version, member, value) as n_equal,
        count(*) over (partition by suite, version, member) - 1 as n_others
    from suite_counted
    where is_compared
),

-- Of the pairs of an entrant and a member with every other entrant.
over_wins as (
    select
        suite,
        version,
        entrant,
        sum(n_others - n_above - (n_equal - 1) / 2e0) / nullif(sum(n_others), 0)
            as share
    from compared
    group by suite, version, entrant
),

ruled as (
    select
        entrants.*,
        suite_rules.aggregate,
        suite_rules.missing,
        entrants.n_missing = 0 or suite_rules.missing <> 'unranked' as may_score,
        suite_rules.scale * over_members.mean_value as mean_score,
        suite_rules.scale * over_members.median_value as median_score,
        suite_rules.scale * over_areas.area_value as area_score,
        case
            when over_areas.is_positive
                then
                    suite_rules.scale * (exp(over_areas.mean_logarithm) - 0.1e0) / 0.9e0
        end as breadth,
        suite_rules.scale * over_points.points / 100e0 as borda,
        suite_rules.scale * over_wins.share as win_rate
    from entrants
    inner join suite_rules
        on entrants.suite = suite_rules.suite
        and entrants.version = suite_rules.version
    left join over_members
        on entrants.suite = over_members.suite
        and entrants.version = over_members.version
        and entrants.entrant = over_members.entrant
    left join over_areas
        on entrants.suite = over_areas.suite
        and entrants.version = over_areas.version
        and entrants.entrant = over_areas.entrant
    left join over_points
        on entrants.suite = over_points.suite
        and entrants.version = over_points.version
        and entrants.entrant = over_points.entrant
    left join over_wins
        on entrants.suite = over_wins.suite
        and entrants.version = over_wins.version
        and entrants.entrant = over_wins.entrant
),

scored as (
    select
        *,
        case
            when may_score
                then
                    case aggregate
                        when 'mean' then mean_score
                        when 'areas' then area_score
                        when 'geometric' then breadth
                        when 'borda' then borda
                        when 'win_rate' then win_rate
                        when 'median' then median_score
                    end
        end as score
    from ruled
)

select
    suite,
    version,
    entrant,
    model,
    revision,
    label,
    score,
    case when may_score then breadth end as breadth,
    case when may_score then borda end as borda,
    case when may_score then win_rate end as win_rate,
    case when may_score then mean_score end as mean_score,
    case when may_score then area_score end as area_score,
    case when may_score then median_score end as median_score,
    n_members,
    n_missing,
    has_reported,
    score is not null and (n_missing = 0 or missing = 'zero') as is_ranked,
    case
        when score is not null then null
        when n_members = 0 then 'no_members'
        when n_missing > 0 then 'missing_member'
        when aggregate in ('borda', 'win_rate') then 'one_entrant'
        else 'no_rows'
    end as reason
from scored
