-- target_of: what gold gives to each option: the reference, or where there is none 1 to
-- the gold option, from 0.
-- Source: SUITES.md §3.
create or replace macro target_of(reference, gold, option_count) as
    coalesce(
        reference,
        list_transform(
            range(option_count), lambda place: if(place = gold, 1e0, 0e0)
        )
    );
