-- calibration_part: max(0, 100 (1 - 2 ECE)), in [0, 100]; null for null.
-- Source: METRICS.md (C).
create or replace macro calibration_part(ece) as
    case when ece is not null then greatest(0e0, 100e0 * (1e0 - 2e0 * ece)) end;
