-- scores: one row per entrant of the selected suite.
select
    model,
    revision,
    label,
    score,
    mean_score,
    area_score,
    breadth,
    borda,
    win_rate,
    median_score,
    n_members,
    n_missing,
    has_reported,
    is_ranked,
    reason
from suite_scores
order by entrant
