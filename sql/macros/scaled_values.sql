-- scaled_values: what each level is worth, from 0 for the lowest to 1 for the highest:
-- the values of the item, or evenly.
-- Source: SUITES.md §3 (value_mae).
create or replace macro scaled_values(level_values, option_count) as
    list_transform(
        coalesce(
            level_values,
            list_transform(range(option_count), lambda level: cast(level as double))
        ),
        lambda v: (v - coalesce(level_values[1], 0e0))
        / (
            coalesce(level_values[-1], option_count - 1)
            - coalesce(level_values[1], 0e0)
        )
    );
