"""What each row of a selection adds to each tally: the SQL's own terms, as arrays.

Read once per comparison, inside `jevdb.scoring.selection.selected`. Weighted sums of
these are the tallies of a resample, and weights of one give the tallies of the SQL.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.scoring.report_rows import base_row, under_their_row
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jevdb.base.connection import Connection

    Integers = NDArray[np.int64]


class Method(NamedTuple):
    """A scoring method: its weights, and the rule by which rows are tallied."""

    method_id: str
    rule: int
    bins: int
    probability_floor: float
    noul_chance_corrected: bool
    choice_weight: float
    noul_weight: float
    score_weight: float
    tier_weights: Mapping[str, float]

    def type_weight(self, kind: str) -> float:
        """Return what the component of a type weighs in I."""
        weights = {"choice": self.choice_weight, "noul": self.noul_weight}
        return weights.get(kind, self.score_weight)


OF_ITEMS = ("chance", "chance_rating_error")
"""Terms that an item has whatever is answered."""
OF_ANSWERS = ("_bin", "_gap", "_each")
"""How terms end that are of single answers."""

Block = tuple[str, str | None, str]
"""What items are resampled within: type, tier, modality."""


class Place(NamedTuple):
    """Where an item stands: a report row and a subset of it."""

    report_row: str
    subset: str


@dataclass(frozen=True, slots=True)
class Stratum:
    """Items of one block that stand in the same places: tallied and drawn together."""

    type: str
    weighted_tier: str | None
    places: frozenset[Place]
    items: Integers
    """Positions of its items among all of them, shape (n,)."""

    @property
    def report_rows(self) -> list[str]:
        """The report rows that count its items."""
        return sorted(
            place.report_row for place in self.places if place.subset == "all"
        )


@dataclass(frozen=True, slots=True)
class Items:
    """The items in any scope of a selection, by item_id, and the strata they form."""

    item_ids: list[str]
    blocks: list[Block]
    """What each item is drawn within."""
    strata: list[Stratum]

    @property
    def report_rows(self) -> list[str]:
        """The report rows, most items first, then by name; slices under their row."""
        sizes: dict[str, int] = {}
        for stratum in self.strata:
            for report_row in stratum.report_rows:
                sizes[report_row] = sizes.get(report_row, 0) + len(stratum.items)
        return sorted(sizes, key=lambda row: under_their_row(row, sizes[base_row(row)]))

    def types(self, report_row: str) -> set[str]:
        """Return the types a report row has items of."""
        return {
            stratum.type for stratum in self.strata if report_row in stratum.report_rows
        }


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of some runs over the same items, by methods that tally alike.

    ``columns`` holds an array of shape (n_runs, n_items) per term, summed over the
    answers of a run to an item, of which there are ``repeats``: counts are 0 or 1 an
    answer, the others whole units of 2^-53. What the item alone says is not summed.
    Bins, gaps in them, and what ends in ``_each`` are of single answers: where some run
    asked several times they have the shape (n_runs, n_items, most repeats). Bin -1 is
    in none.
    """

    items: Items
    methods: list[Method]
    run_ids: list[str]
    unsupported: list[frozenset[str]]
    repeats: Integers
    """How often each run asked an item, shape (n_runs,)."""
    columns: dict[str, Integers]

    @property
    def bins(self) -> int:
        """How many bins the methods have."""
        return self.methods[0].bins


def read_terms(
    connection: Connection, names: Collection[str] | None = None
) -> list[Terms]:
    """Return the terms of the selected runs, one `Terms` per way to tally.

    The runs are of one benchmark. Only the columns *names* are read, if they are given.
    """
    wanted = (
        ", ".join(sorted(names)) if names else "* exclude (run_id, item_id, repeat)"
    )
    rows = query("comparison/term_rows").replace("$columns", wanted)
    items = _read_items(connection)
    runs = connection.execute(
        "select run_id, unsupported_types, n_repeats from runs order by run_id"
    ).fetchall()
    repeats = np.array([n for *_, n in runs], dtype=np.int64)
    return [
        Terms(
            items=items,
            methods=list(methods),
            run_ids=[run_id for run_id, *_ in runs],
            unsupported=[frozenset(types) for _, types, _ in runs],
            repeats=repeats,
            columns=_columns(connection, rows, rule, repeats, len(items.item_ids)),
        )
        for rule, methods in groupby(
            read_methods(connection), key=lambda method: method.rule
        )
    ]


def read_methods(connection: Connection) -> list[Method]:
    """Return the selected methods; those that tally alike stand together."""
    rows = connection.execute(query("comparison/term_methods")).fetchall()
    return [Method._make((*row[:-1], row[-1] or {})) for row in rows]


def _columns(
    connection: Connection,
    rows: str,
    rule: int,
    repeats: Integers,
    n_items: int,
) -> dict[str, Integers]:
    found = connection.execute(rows, {"rule": rule}).fetchnumpy()
    columns = {name: np.asarray(of, dtype=np.int64) for name, of in found.items()}
    if (repeats == 1).all():
        return {name: of.reshape(-1, n_items) for name, of in columns.items()}
    return {name: _of_items(name, of, n_items, repeats) for name, of in columns.items()}


def _of_items(
    name: str, answers: Integers, n_items: int, repeats: Integers
) -> Integers:
    """Return a term of single answers, by run, as one of items: see `Terms`."""
    ends = np.cumsum(n_items * repeats)[:-1]
    by_run = [
        of.reshape(n_items, n)
        for of, n in zip(np.split(answers, ends), repeats.tolist(), strict=True)
    ]
    if name in OF_ITEMS:
        return np.stack([of[:, 0] for of in by_run])
    if not name.endswith(OF_ANSWERS):
        return np.stack([of.sum(axis=1) for of in by_run])
    most = int(repeats.max())
    blank = -1 if name.endswith("_bin") else 0
    return np.stack(
        [
            np.pad(of, ((0, 0), (0, most - of.shape[1])), constant_values=blank)
            for of in by_run
        ]
    )


def _read_items(connection: Connection) -> Items:
    places: dict[str, set[Place]] = {}
    for stratum, report_row, subset in connection.execute(
        "select item_id, report_row, subset from scopes "
        "where item_id in (select stratum from strata) "
        "and benchmark_id in (select benchmark_id from runs)"
    ).fetchall():
        places.setdefault(stratum, set()).add(Place(report_row, subset))
    rows = connection.execute(query("comparison/term_items")).fetchall()
    blocks = [(kind, tier, modality) for _, kind, tier, modality, *_ in rows]
    members: dict[tuple[str, str | None], list[int]] = {}
    for position, (*_, weighted_tier, stratum) in enumerate(rows):
        members.setdefault((stratum, weighted_tier), []).append(position)
    return Items(
        item_ids=[row[0] for row in rows],
        blocks=blocks,
        strata=[
            Stratum(
                blocks[positions[0]][0],
                tier,
                frozenset(places[stratum]),
                np.array(positions),
            )
            for (stratum, tier), positions in members.items()
        ],
    )
