-- suite_values: one row per version of a suite, entrant and member: the number (raw),
-- what of it is worth 0 (base), and what the member adds to the score (value).
-- value is null for a reason; is_left_out is whether it is for every entrant, so that
-- the member counts for none. answered is the share of its answers that are ok.
-- Source: SUITES.md §4.
with entrants as (
    select distinct
        suite,
        version,
        entrant,
        model,
        revision,
        label
    from suite_entries
),

found as (
    select
        entrants.*,
        suite_members.member,
        suite_members.benchmark_id,
        suite_members.area,
        suite_members.report_row,
        suite_members.metric,
        suite_members.kind,
        suite_members.transform,
        suite_members.best,
        suite_members.clip,
        suite_members.digits,
        suite_rules.unanswered,
        suite_bases.base,
        suite_entries.origin,
        suite_entries.run_id,
        suite_entries.result_sha256,
        case suite_entries.origin
            when 'rows' then suite_numbers.value
            when 'reported' then suite_reported.value
        end as raw,
        case suite_entries.origin
            when 'rows' then suite_numbers.n
            when 'reported' then suite_reported.n
        end as n,
        case suite_entries.origin
            when 'rows' then suite_numbers.n_ok / nullif(suite_numbers.n_answers, 0)
            when 'reported' then suite_reported.answered
        end as answered,
        suite_numbers.n_answers,
        coalesce(suite_numbers.counts_all, false) as counts_all,
        suite_numbers.reason
    from entrants
    inner join suite_members
        on entrants.suite = suite_members.suite
        and entrants.version = suite_members.version
    inner join suite_rules
        on entrants.suite = suite_rules.suite
        and entrants.version = suite_rules.version
    left join suite_bases
        on suite_members.suite = suite_bases.suite
        and suite_members.version = suite_bases.version
        and suite_members.member = suite_bases.member
    left join suite_entries
        on entrants.suite = suite_entries.suite
        and entrants.version = suite_entries.version
        and entrants.entrant = suite_entries.entrant
        and suite_members.member = suite_entries.member
    left join suite_numbers
        on suite_entries.run_id = suite_numbers.run_id
        and suite_members.benchmark_id = suite_numbers.benchmark_id
        and suite_members.scope_row = suite_numbers.report_row
        and suite_members.method_id = suite_numbers.method_id
        and suite_members.metric = suite_numbers.metric
        and suite_members.kind = suite_numbers.kind
    left join suite_reported
        on suite_members.suite = suite_reported.suite
        and suite_members.version = suite_reported.version
        and suite_members.member = suite_reported.member
        and suite_entries.result_sha256 = suite_reported.result_sha256
),

answering as (
    select
        *,
        case
            when unanswered = 'missing' and answered < 1e0 then null
            when unanswered = 'left_out' and counts_all then raw / nullif(answered, 0e0)
            when
                unanswered = 'coverage'
                and not counts_all
                and best > coalesce(base, best - 1e0)
                then raw * coalesce(answered, 1e0)
            else raw
        end as counted
    from found
),

transformed as (
    select
        *,
        case
            when transform = 'none' then suite_rounded(counted, digits)
            else
                (suite_rounded(counted, digits) - base) / nullif(best - base, 0e0)
        end as bare
    from answering
),

valued as (
    select
        *,
        case
            when not clip then bare
            when bare < 0e0 then 0e0
            when bare > 1e0 then 1e0
            else bare
        end
        * case
            when
                unanswered = 'coverage'
                and not counts_all
                and best < base
                then coalesce(answered, 1e0)
            else 1e0
        end as value
    from transformed
)

select
    suite,
    version,
    entrant,
    model,
    revision,
    label,
    member,
    benchmark_id,
    area,
    report_row,
    metric,
    kind,
    origin,
    run_id,
    result_sha256,
    raw,
    base,
    value,
    coalesce(n, 0) as n,
    n_answers,
    answered,
    case
        when value is not null then null
        when origin is null then 'missing_member'
        when raw is null then coalesce(reason, 'no_rows')
        when counted is null then 'unanswered'
        when base is null then 'no_common_options'
        else 'no_headroom'
    end as reason,
    count(value) over (partition by suite, version, member) = 0
    and count(origin) over (partition by suite, version, member) > 0 as is_left_out
from valued
