-- repeated_items: one row per run that asked several times, item in a scope and rule:
-- how many of its answers are ok, right, and have what a metric averages, and whether
-- the ok ones say different labels.
-- Runs that asked once have none: their rows are their items.
-- Source: SUITES.md §2.
with given as (
    select
        terms.run_id,
        terms.benchmark_id,
        terms.item_id,
        terms.rule,
        terms.is_ok,
        terms.is_right,
        terms.confidence,
        terms.term_squared_error,
        terms.total_variation,
        terms.rating_error,
        case
            when not terms.is_ok then null
            when terms.type = 'multi_select'
                then list_sort(terms.answer_labels)
            else [coalesce(cast(terms.top_index as varchar), 'none')]
        end as labels
    from terms
    where terms.n_repeats > 1
)

select
    given.run_id,
    given.benchmark_id,
    strata.stratum,
    given.rule,
    given.item_id,
    count(*) filter (where given.is_ok) as n_ok,
    count(*) filter (where given.is_right) as n_right,
    count(given.confidence) as n_stated,
    count(given.term_squared_error) as n_proper,
    count(given.total_variation) as n_compared,
    count(given.rating_error) as n_rated,
    coalesce(min(given.labels) <> max(given.labels), false) as is_flipped
from given
inner join strata
    on given.benchmark_id = strata.benchmark_id
    and given.item_id = strata.item_id
group by
    given.run_id,
    given.benchmark_id,
    strata.stratum,
    given.rule,
    given.item_id
