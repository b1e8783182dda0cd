-- methods_insert: stores a scoring method.
insert into methods by name
select
    cast($method_id as varchar) as method_id,
    cast($document as varchar) as document,
    cast($noul_low as double) as noul_low,
    cast($noul_high as double) as noul_high,
    cast($noul_chance_corrected as boolean) as noul_chance_corrected,
    cast($choice_weight as double) as choice_weight,
    cast($noul_weight as double) as noul_weight,
    cast($score_weight as double) as score_weight,
    cast($bins as integer) as bins,
    cast($probability_floor as double) as probability_floor,
    cast($tie_rule as varchar) as tie_rule,
    cast($failed_rating as varchar) as failed_rating,
    cast($noul_half as varchar) as noul_half,
    cast($failed_distribution as varchar) as failed_distribution,
    cast($ingest as bigint) as seq
