-- ranked_probability_score: sum over the first K-1 levels of (CDF_p - CDF_gold)^2,
-- divided by K-1, in [0, 1]; gold is the level from 0.
-- Source: METRICS.md (RPS), SCORING.md §3.
create or replace macro ranked_probability_score(probabilities, gold) as
    list_reduce(
        list_transform(
            probabilities[1:-2],
            lambda p, i: {'gap': p - if(i = gold + 1, 1e0, 0e0), 'total': 0e0}
        ),
        lambda so_far, level: {
            'gap': so_far.gap + level.gap,
            'total': so_far.total + (so_far.gap + level.gap) * (so_far.gap + level.gap)
        },
        {'gap': 0e0, 'total': 0e0}
    ).total / (len(probabilities) - 1);
