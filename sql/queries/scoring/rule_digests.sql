-- rule_digests: one row per rule of the selection: the digest of its numbers. The
-- number by which views call a rule depends on which others there are.
-- Source: SCALE.md §1.
select
    *,
    sha256(cast(json_array(
        noul_low,
        noul_high,
        probability_floor,
        bins,
        tie_rule,
        noul_half,
        failed_distribution
    ) as varchar)) as rule_sha256
from rules
