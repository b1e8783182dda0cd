-- cumulated: what a distribution gives to each option and those before it.
-- Source: SUITES.md §3 (rps_skill).
create or replace macro cumulated(probabilities) as
    list_transform(probabilities, lambda p, i: list_sum(probabilities[1:i]));
