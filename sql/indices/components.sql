-- components: one row per run, report row, method, index and kind: the components of I
-- (metric intelligence) and C (metric calibration).
-- Source: METRICS.md (I/C formulas), SCORING.md §4.
select * from component_intelligence
union all
select * from component_calibration
