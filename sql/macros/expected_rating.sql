-- expected_rating: sum over levels of level x probability, in levels from 0.
-- Source: SCORING.md §2.
create or replace macro expected_rating(probabilities) as
    list_reduce(
        list_transform(probabilities, lambda p, i: p * (i - 1)),
        lambda total, x: total + x,
        0e0
    );
