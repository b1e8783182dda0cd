-- uniform_distribution: 1 / K for each of K options.
-- Source: SUITES.md §3 (failed_distribution).
create or replace macro uniform_distribution(option_count) as
    list_transform(range(option_count), lambda place: 1e0 / option_count);
