-- probability_at: probability of the option at a place counted from 0.
create or replace macro probability_at(probabilities, place) as
    probabilities[place + 1];
