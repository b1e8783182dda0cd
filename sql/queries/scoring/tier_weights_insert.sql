-- tier_weights_insert: stores what a tier weighs by a scoring method.
insert into tier_weights by name
select
    cast($method as varchar) as method_id,
    cast($tier_name as varchar) as tier,
    cast($tier_weight as double) as weight,
    cast($ingest as bigint) as seq
