-- chance_corrected: (accuracy - chance) / (1 - chance): 1 is perfect, 0 is chance, may
-- be negative.
-- Source: METRICS.md (I).
create or replace macro chance_corrected(accuracy, chance) as
    (accuracy - chance) / nullif(1e0 - chance, 0e0);
