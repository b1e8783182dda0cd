-- row_classes: one row per report row, kind, basis and choice: stratum_classes added
-- up.
-- Source: SUITES.md §3.
select
    kind_strata.benchmark_id,
    kind_strata.report_row,
    kind_strata.kind,
    stratum_classes.basis,
    stratum_classes.choice,
    max(stratum_classes.place) as place,
    sum(stratum_classes.target_units) as target_units,
    sum(stratum_classes.square_units) as square_units,
    sum(stratum_classes.reached_units) as reached_units,
    sum(stratum_classes.reached_square_units) as reached_square_units,
    sum(stratum_classes.chance_units) as chance_units,
    min(stratum_classes.least) as least,
    max(stratum_classes.most) as most
from kind_strata
inner join stratum_classes
    on kind_strata.benchmark_id = stratum_classes.benchmark_id
    and kind_strata.stratum = stratum_classes.stratum
group by
    kind_strata.benchmark_id,
    kind_strata.report_row,
    kind_strata.kind,
    stratum_classes.basis,
    stratum_classes.choice
