-- top_probability: confidence, the probability of the top label, in [0, 1].
-- Source: SCORING.md §2.
create or replace macro top_probability(probabilities) as list_max(probabilities);
