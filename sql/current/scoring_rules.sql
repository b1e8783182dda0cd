-- scoring_rules: one row per scoring: what it is besides its scope view. What TVD
-- compares with, when tier weights apply, the types that TVD asks for, the ECE that a
-- report shows, the types that items may have. The scorings that users added have
-- theirs from the headers of their SQL files.
-- Source: METRICS.md (scoring scopes), SCORING.md §3 (TVD), §4 (tier weights), §6.
select
    scoring,
    title,
    reference_rule,
    tier_rule,
    tvd_types,
    main_ece,
    item_types
from scorings
