-- ranked_distance: sum over the first K-1 levels of (CDF_p - CDF_t)^2, divided by K-1,
-- in [0, 1]; null for null.
-- Source: SUITES.md §3 (rps_skill).
create or replace macro ranked_distance(probabilities, target) as
    list_reduce(
        list_transform(
            probabilities[1:-2], lambda p, i: { 'gap': p - target[i], 'total': 0e0 }
        ),
        lambda so_far, level: {
            'gap': so_far.gap + level.gap,
            'total': so_far.total + (so_far.gap + level.gap) * (so_far.gap + level.gap)
        },
        { 'gap': 0e0, 'total': 0e0 }
    ).total / (len(probabilities) - 1);
