-- listed: one row per version of a suite, in the order in which they were added.
select
    suite_rules.suite,
    suite_rules.version,
    suite_rules.aggregate,
    suite_rules.method_id,
    count(suite_members.member) as n_members,
    suite_rules.missing,
    suite_rules.unanswered,
    suite_rules.sha256,
    suite_rules.seq
from suite_rules
left join suite_members
    on suite_rules.suite = suite_members.suite
    and suite_rules.version = suite_members.version
group by all
order by suite_rules.seq
