"""A warehouse of made-up runs over 1,500 items with CMDB-1500's shape."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jevdb.warehouse.database import open_writer, transaction

BENCHMARK = "made-up-1500"
ITEMS = 1500

STATEMENTS = (
    "select setseed(0.42)",
    """
    insert into ingests
    select
        i, cast(i as varchar), timestamp '2026-01-01' + to_days(cast(i as integer)),
        if(i = 1, 'items', 'run'), 'made up', null
    from range(1, 2 + $runs) as numbers (i)
    """,
    """
    insert into benchmarks values ($benchmark, 'made up', null, null, 'cmdb-1500', 1)
    """,
    """
    insert into items
        (benchmark_id, item_id, type, modality, tier, family, domain, options, meta,
        seq)
    select
        $benchmark, 'item-' || lpad(cast(i as varchar), 5, '0'),
        case
            when i < 300 then 'choice' when i < 400 then 'multi_select'
            when i < 566 then 'score' when i < 1000 then 'noul' else 'choice'
        end,
        case when i < 300 then 'image' else 'text' end,
        null, 'family ' || i % 12, null,
        case
            when i < 300 then ['ash', 'oak', 'elm', 'fir']
            when i < 400 then ['a', 'b', 'c', 'd', 'e']
            when i < 566 then ['none', 'low', 'some', 'high', 'full']
            when i < 1000 then ['no', 'yes']
            else ['red', 'green', 'blue', 'black', 'white']
        end,
        null, 1
    from range(1500) as numbers (i)
    """,
    """
    insert into golds
    select
        benchmark_id, 1, item_id,
        case
            when type <> 'multi_select'
                then cast(hash(item_id) % len(options) as integer)
        end,
        case when type = 'multi_select' then ['a', 'c'] end,
        case
            when item_id < 'item-00020' then cast([0.7, 0.1, 0.1, 0.1] as double[])
            when item_id >= 'item-01000' and item_id < 'item-01047'
                then cast([0.6, 0.1, 0.1, 0.1, 0.1] as double[])
        end,
        1
    from items
    where benchmark_id = $benchmark
    """,
    """
    insert into models (model_id, name, seq)
    select 'model ' || i, 'model ' || i, 2 from range($runs) as numbers (i)
    """,
    """
    insert into runs
    select
        sha256('run ' || i), $benchmark, 'model ' || i, null, null, null, null, [],
        0, 0, 0, 0, 0, 0, 0, 'made up', 2 + i, 1
    from range($runs) as numbers (i)
    """,
    """
    insert into predictions (
        run_id, item_id, status, labels, probabilities, label_index, level,
        renormalized, answer_mismatch, attempts
    )
    with drawn as (
        select
            run_id, item_id, type, len(options) as k, label_index as gold,
            random() as luck,
            [random(), random(), random(), random(), random()] as weights
        from runs
        inner join items using (benchmark_id)
        inner join golds using (benchmark_id, item_id)
    ),

    weighted as (
        select
            *,
            list_transform(
                weights[1:k],
                lambda w, i: w + 0.01 + if(i = gold + 1 and luck < 0.7, 2, 0)
            ) as shares
        from drawn
        where random() > 0.01
    )

    select
        run_id, item_id,
        case when random() < 0.01 then 'error' else 'ok' end,
        case
            when type = 'multi_select'
                then case when luck < 0.6 then ['a', 'c'] else ['b'] end
        end,
        case
            when type <> 'multi_select' and luck > 0.02
                then list_transform(shares, lambda s: s / list_sum(shares))
        end,
        case when type in ('choice', 'noul') and luck <= 0.02 then 0 end,
        case when type = 'score' and luck <= 0.02 then 0 end,
        false, false, 1
    from weighted
    """,
)


def build(path: Path, runs: int, statements: Sequence[str] = STATEMENTS) -> None:
    """Write a warehouse of *runs* runs over 1,500 items to *path*."""
    with open_writer(path, create=True) as connection, transaction(connection):
        for statement in statements:
            named = {"benchmark": BENCHMARK, "runs": runs}
            used = {key: named[key] for key in named if f"${key}" in statement}
            connection.execute(statement, used)
