"""The page behind a row of numbers: for each, its definition, rows, bins or terms."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import BY_NAME, TYPES, Number
from jevdb.base.text import short_id
from jevdb.scoring.explain.number_place import definitions
from jevdb.site.boards import heading
from jevdb.site.numbers import Agreed, agreed, in_order

if TYPE_CHECKING:
    from jevdb.base.documents import Json
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run
    from jevdb.site.numbers import Fate, Numbers, Row
    from jevdb.warehouse.sqlfiles import SqlObject


class Component(NamedTuple):
    """What a type adds to an index."""

    kind: str
    weight: float
    value: Value


class Section(NamedTuple):
    """A number with everything behind it; what does not apply is empty."""

    number: Number
    title: str
    long: str
    definitions: list[SqlObject]
    n_methods: int
    values: list[Agreed]
    fates: list[Fate]
    subset: str | None
    type: str
    components: list[Agreed]
    tiers: list[Agreed]
    parts: list[Agreed]
    bins: list[Agreed]
    command: str

    @property
    def anchor(self) -> str:
        """Where the section stands on its page."""
        return f"{self.number.metric}.{self.number.kind}"

    @property
    def rows_filter(self) -> str:
        """Which rows the number is about, as the page of rows understands it."""
        subset = self.subset or "ece_*"
        return f"subset={subset}" + ("" if self.type == "all" else f"&kind={self.type}")


def sections(
    numbers: Numbers, run: Run, report_row: str, methods: Sequence[Json]
) -> list[Section]:
    """Return the sections of a run's report row, in the order of the documents."""
    row = (run.run_id, report_row)
    return [
        _section(numbers, run, row, number, methods)
        for number in in_order(numbers.values[row])
    ]


def _section(
    numbers: Numbers, run: Run, row: Row, number: Number, methods: Sequence[Json]
) -> Section:
    metric, kind = number
    scope = number.scope
    kinds = TYPES if kind == "all" else (kind,)
    tiers = numbers.tiers.get(row, {}) if metric == "intelligence" else {}
    parts = numbers.parts.get(row, {}) if metric == "calibration" else {}
    bins = numbers.bins.get(row, {}).get(kind, {}) if number.is_binned else {}
    return Section(
        number=number,
        title=heading(number),
        long=BY_NAME[metric].long,
        definitions=definitions(number),
        n_methods=len(methods),
        values=agreed(numbers.values[row][number]),
        fates=numbers.fates.get(row, {}).get(number, []),
        subset=scope.subset,
        type=scope.type,
        components=_components(numbers, row, number, methods),
        tiers=_by_kind(tiers, kinds),
        parts=_by_kind(parts, kinds),
        bins=agreed(bins),
        command=_command(run, number, row[1]),
    )


def _by_kind(
    found: dict[str, dict[str, list[object]]] | object, kinds: Sequence[str]
) -> list[Agreed]:
    """Return lines of several types as one table, by what methods agree on."""
    assert isinstance(found, dict)
    joined: dict[str, list[tuple[str, object]]] = {}
    for kind in kinds:
        for method_id, lines in found.get(kind, {}).items():
            joined.setdefault(method_id, []).extend((kind, line) for line in lines)
    return agreed(joined)


def _components(
    numbers: Numbers, row: Row, number: Number, methods: Sequence[Json]
) -> list[Agreed]:
    """Return what an index is the mean of, by method."""
    if not BY_NAME[number.metric].is_index or number.kind != "all":
        return []
    # A method's type weights act on I alone (SCORING.md §5).
    is_weighted = number.metric == "intelligence"
    found = {}
    for method in methods:
        method_id, weights = str(method["method_id"]), method["type_weights"]
        assert isinstance(weights, dict)
        listed = [
            Component(kind, weights[kind] if is_weighted else 1.0, value)
            for kind in TYPES
            if (value := numbers.value(row, Number(number.metric, kind), method_id))
        ]
        if listed:
            found[method_id] = listed
    return agreed(found)


def _command(run: Run, number: Number, report_row: str) -> str:
    return (
        f"jevdb explain {short_id(run.run_id)} {number.metric} --kind {number.kind} "
        f"--row {shlex.quote(report_row)} --items"
    )
