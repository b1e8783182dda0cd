-- total_variation: half the L1 distance of two distributions over the same options, in
-- [0, 1].
-- Source: METRICS.md (TVD).
create or replace macro total_variation(probabilities, reference) as
    0.5e0 * list_reduce(
        list_transform(probabilities, lambda p, i: abs(p - reference[i])),
        lambda total, x: total + x,
        0e0
    );
