"""The rows behind a suite: what each item adds to each number, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jevdb.base.arrow import register
from jevdb.base.metrics import BY_NAME, SUMMED, TERM
from jevdb.scoring.terms import read_methods
from jevdb.suites.classes import BY_CLASS
from jevdb.suites.items import Item
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.base.connection import Connection
    from jevdb.scoring.terms import Method
    from jevdb.suites.scores import Scores

    Doubles = NDArray[np.float64]
    Integers = NDArray[np.int64]


COUNT = "n_"
SAID = "said"
TERMS = {str(metric.term) for metric in SUMMED}


@dataclass(frozen=True, slots=True)
class Rows:
    """What the ok answers to each benchmark add, by run and item.

    ``columns`` are sums over the answers, of shape (n_runs, n_items), by benchmark and
    name, and under `COUNT` how many answers have a term; ``items`` are those of a
    member, ``places`` where they stand among the items of its benchmark; ``runs`` where
    a run stands; ``unsupported`` the types that it declared so, ``repeats`` how often
    it asked every item.
    """

    items: dict[int, list[Item]]
    places: dict[int, Integers]
    runs: dict[str, int]
    columns: dict[str, dict[str, Doubles]]
    method: Method
    unsupported: dict[str, frozenset[str]]
    repeats: dict[str, int]

    def column(
        self, benchmark: str, name: str, member: int, run_ids: Sequence[str]
    ) -> Doubles:
        """Return the sums of some runs and a member's items, (n_runs, n_items)."""
        places = [self.runs[run_id] for run_id in run_ids]
        found = self.columns[benchmark][name]
        chosen: Doubles = found[places][:, self.places[member]]
        return chosen


def read_rows(connection: Connection, scores: Scores) -> Rows:
    """Return the rows behind the scores of a suite; call it inside `scored`."""
    benchmark_of = {m.member: m.benchmark_id for m in scores.members}
    items: dict[int, list[Item]] = {number: [] for number in benchmark_of}
    for member, *rest in connection.execute(query("suites/items")).fetchall():
        items[member].append(Item(*rest))
    known: dict[str, dict[str, int]] = {}
    for member, listed in items.items():
        inside = known.setdefault(benchmark_of[member], {})
        for item in listed:
            inside.setdefault(item.item_id, len(inside))
    runs: dict[str, dict[str, int]] = {}
    for values in scores.values.values():
        for value in values:
            if value.run_id is not None:
                inside = runs.setdefault(benchmark_of[value.member], {})
                inside.setdefault(value.run_id, len(inside))
    [method] = read_methods(connection)
    asked = connection.execute(
        "select run_id, unsupported_types, n_repeats from runs"
    ).fetchall()
    return Rows(
        items=items,
        places={
            member: np.array(
                [known[benchmark_of[member]][item.item_id] for item in listed],
                dtype=np.int64,
            )
            for member, listed in items.items()
        },
        runs={run: place for inside in runs.values() for run, place in inside.items()},
        columns=_columns(connection, known, runs, {m.metric for m in scores.members}),
        method=method,
        unsupported={run_id: frozenset(types) for run_id, types, _ in asked},
        repeats={run_id: n_repeats for run_id, _, n_repeats in asked},
    )


def _columns(
    connection: Connection,
    items: dict[str, dict[str, int]],
    runs: dict[str, dict[str, int]],
    metrics: Iterable[str],
) -> dict[str, dict[str, Doubles]]:
    """Return the columns; every benchmark is a stretch of one long array."""
    known_metrics = [BY_NAME[name] for name in metrics if name in BY_NAME]
    terms = sorted({each.row_term for each in known_metrics if each.row_term} & TERMS)
    terms = terms or sorted(TERMS)[:1]
    has_classes = any(each.name in BY_CLASS for each in known_metrics)
    starts, total = {}, 0
    for benchmark, inside in items.items():
        starts[benchmark] = total
        total += len(inside) * len(runs.get(benchmark, ()))
    run_rows = [
        (run_id, starts[benchmark] + place * len(items[benchmark]))
        for benchmark, inside in runs.items()
        for run_id, place in inside.items()
    ]
    item_rows = [
        (benchmark, item_id, place)
        for benchmark, inside in items.items()
        for item_id, place in inside.items()
    ]
    _table(connection, "suite_runs", ("run_id", "place"), run_rows)
    _table(connection, "suite_items", ("benchmark_id", "item_id", "place"), item_rows)
    try:
        asked = query("suites/rows").replace("^term_", f"^({'|'.join(terms)})$")
        found = connection.execute(asked).fetchnumpy()
        if not has_classes:
            found.pop(SAID)
    finally:
        connection.unregister("suite_runs")
        connection.unregister("suite_items")
    places = np.asarray(found.pop("run")) + np.asarray(found.pop("item"))
    columns: dict[str, dict[str, Doubles]] = {benchmark: {} for benchmark in items}
    for name, values in found.items():
        if name == SAID:
            _cut_said(columns, items, starts, places, np.asarray(values), total)
            continue
        told = np.asarray(values, dtype=np.float64)
        here = ~np.isnan(told)
        # A run may answer an item several times: sums, and how many they are of.
        sums = np.bincount(places, np.where(here, told, 0.0), total)
        _cut(columns, items, starts, name, sums)
        if name.startswith(TERM):
            counts = np.bincount(places, here, total)
            _cut(columns, items, starts, f"{COUNT}{name}", counts)
    return columns


def _cut_said(
    columns: dict[str, dict[str, Doubles]],
    items: dict[str, dict[str, int]],
    starts: dict[str, int],
    places: Integers,
    said: Integers,
    total: int,
) -> None:
    """Put how many answers say the option at each place under its name."""
    for place in range(int(said.max(initial=-1)) + 1):
        counts = np.bincount(places, said == place, total)
        _cut(columns, items, starts, f"{SAID}_{place}", counts)


def _cut(
    columns: dict[str, dict[str, Doubles]],
    items: dict[str, dict[str, int]],
    starts: dict[str, int],
    name: str,
    values: NDArray[np.number],
) -> None:
    """Put each benchmark's stretch of an array under its name."""
    ends = [*list(starts.values())[1:], len(values)]
    for (benchmark, inside), end in zip(items.items(), ends, strict=True):
        mine = values[starts[benchmark] : end]
        shaped = mine.reshape(-1, max(len(inside), 1))
        columns[benchmark][name] = shaped.astype(np.float64, copy=False)


def _table(
    connection: Connection,
    name: str,
    columns: Sequence[str],
    rows: Sequence[tuple[object, ...]],
) -> None:
    import pyarrow as pa

    parts = list(zip(*rows, strict=True)) or [()] * len(columns)
    kinds = {"place": pa.int64()}
    table = pa.table(
        {
            column: pa.array(part, kinds.get(column, pa.string()))
            for column, part in zip(columns, parts, strict=True)
        }
    )
    register(connection, name, table)
