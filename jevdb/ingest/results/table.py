"""Published numbers as a table: a line a number, CSV, JSON Lines or Parquet.

Columns: benchmark, model, metric, value; and revision, label, row, kind, n, answered,
requested, source where they are known. Lines of one benchmark, model, revision and
label are one published result.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from jevdb.base.errors import InputError, JevdbError, Problem, near_names
from jevdb.base.metrics import BY_NAME, Number, number_named
from jevdb.ingest.decode.decoding import Problems
from jevdb.ingest.decode.records import canonical_json
from jevdb.ingest.files.containers import open_container
from jevdb.ingest.files.sources import Source
from jevdb.ingest.names import check_name

FORMAT = "table"
PUBLISHED = ("skill", "raw")
"""Numbers that only published results have: a value as its board made it."""
NEEDED = ("benchmark", "model", "metric", "value")
COLUMNS = (
    *("benchmark", "model", "revision", "label", "row", "metric", "kind"),
    *("value", "n", "answered", "requested", "source"),
)
TEXTS = ("benchmark", "model", "revision", "label", "row", "metric", "kind", "source")
COUNTS = ("n", "answered", "requested")
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
OVERALL = "overall"
AS_REPORTED = "as reported"


class TableNumber(NamedTuple):
    """A published number; ``metric`` has its kind, as commands name it."""

    view: str
    metric: str
    value: float
    n: int
    definition: str


class TableResult(NamedTuple):
    """The numbers of one benchmark, model, revision and label of one table."""

    source: str
    source_sha256: str
    benchmark_id: str
    model: str
    revision: str | None
    label: str | None
    requested: int
    answered: int
    numbers: Sequence[TableNumber]

    @property
    def tags(self) -> list[str]:
        """The label, as published results have them."""
        return [] if self.label is None else [self.label]

    @property
    def name(self) -> dict[str, object]:
        """What only one result can have that stands."""
        return {
            "benchmark_id": self.benchmark_id,
            "model": self.model,
            "revision": self.revision,
            "tags": self.tags,
        }

    @property
    def words(self) -> str:
        """What it is called in messages."""
        revision = "" if self.revision is None else f"@{self.revision}"
        tags = "".join(f" [{tag}]" for tag in self.tags)
        return f"{self.model}{revision}{tags} on {self.benchmark_id}"

    @property
    def sha256(self) -> str:
        """The digest of its name and numbers, in any order of the lines."""
        numbers = sorted([list(each) for each in self.numbers], key=lambda x: x[:2])
        content = {
            **self.name,
            "requested": self.requested,
            "answered": self.answered,
            "numbers": numbers,
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def published_number(metric: str, kind: str | None) -> Number:
    """Return the number that is meant; of kind all, unless the metric has none.

    Raises
    ------
    UnknownNameError, UsageError
        No metric has this name, or not this kind.
    """
    if metric in PUBLISHED:
        return Number(metric, kind or "all")
    found = number_named(metric)
    if kind is None and "all" in BY_NAME[found.metric].kinds:
        return found._replace(kind="all") if metric in BY_NAME else found
    return found if kind is None else number_named(metric, kind)


def read_table(paths: Sequence[Path]) -> list[TableResult]:
    """Return the published results of tables.

    Raises
    ------
    InputError
        A line is no number of a result, or two say one number; all are named.
    """
    found: list[TableResult] = []
    problems = Problems()
    for path in paths:
        source = Source(path)
        lines = list(_lines(source, problems))
        found += _results(source, lines, problems)
    if problems.total:
        raise InputError(problems.listed, problems.total, problems.uncounted)
    return found


class _Line(NamedTuple):
    number: int
    said: dict[str, object]


def _lines(source: Source, problems: Problems) -> Iterator[_Line]:
    container = open_container(source, problems)
    for batch in container.batches:
        for line, number in zip(batch.lines, batch.numbers, strict=True):
            try:
                record = msgspec.json.decode(line, type=dict[str, object])
            except (msgspec.MsgspecError, RecursionError) as error:
                problems.add(Problem(source.name, number, None, f"no object: {error}"))
                continue
            said = {
                key: value for key, value in record.items() if value not in ("", None)
            }
            faults = list(_faults(said, container.is_text))
            for field, message in faults:
                problems.add(Problem(source.name, number, field, message))
            if not faults:
                yield _Line(number, said)


def _faults(said: dict[str, object], is_text: bool) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a line; its numbers become numbers."""
    for key in said.keys() - set(COLUMNS):
        yield key, f"no column of a table of results; {near_names(key, COLUMNS)}"
    for key in NEEDED:
        if key not in said:
            yield key, "missing"
    for key in TEXTS:
        if key in said and not isinstance(said[key], str):
            yield key, f"expected a text, got {said[key]!r}"
    yield from _number_faults(said, is_text)
    yield from _name_faults(said)
    answered, requested = said.get("answered"), said.get("requested")
    if (answered is None) != (requested is None):
        yield "answered", "answered and requested go together"
    elif (
        isinstance(answered, int)
        and isinstance(requested, int)
        and answered > requested
    ):
        yield "answered", f"{answered}, more than {requested} requested"


def _number_faults(said: dict[str, object], is_text: bool) -> Iterator[tuple[str, str]]:
    for key in ("value", *COUNTS):
        if key not in said:
            continue
        number = _number(said[key], is_text)
        if number is None:
            yield key, f"expected a number, got {said[key]!r}"
        elif key in COUNTS and (number < 0 or number != int(number)):
            yield key, f"expected a whole number of at least 0, got {said[key]!r}"
        else:
            said[key] = int(number) if key in COUNTS else number


def _name_faults(said: dict[str, object]) -> Iterator[tuple[str, str]]:
    for key in ("benchmark", "model", "revision", "label"):
        if isinstance(said.get(key), str):
            try:
                check_name(str(said[key]), key)
            except JevdbError as error:
                yield key, str(error)
    if isinstance(said.get("metric"), str):
        kind = said.get("kind")
        try:
            published_number(str(said["metric"]), None if kind is None else str(kind))
        except JevdbError as error:
            yield "metric", str(error)


def _number(value: object, is_text: bool) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if is_text and isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return float(value)
    return None


def _results(
    source: Source, lines: Sequence[_Line], problems: Problems
) -> Iterator[TableResult]:
    grouped: dict[tuple[object, ...], list[_Line]] = {}
    for line in lines:
        said = line.said
        key = tuple(said.get(k) for k in ("benchmark", "model", "revision", "label"))
        grouped.setdefault(key, []).append(line)
    for (benchmark, model, revision, label), mine in grouped.items():
        counts = {
            (line.said["answered"], line.said["requested"]): line.number
            for line in reversed(mine)
            if "answered" in line.said
        }
        if len(counts) > 1:
            first, second, *_ = sorted(counts.values())
            message = f"another answered or requested than in line {first}"
            problems.add(Problem(source.name, second, "answered", message))
            continue
        answered, requested = next(iter(counts), (0, 0))
        numbers: dict[tuple[str, str], tuple[int, TableNumber]] = {}
        for line in mine:
            number = _table_number(line.said)
            known = numbers.setdefault(
                (number.view, number.metric), (line.number, number)
            )
            if known[0] != line.number:
                message = f"{number.metric} is in line {known[0]} already"
                problems.add(Problem(source.name, line.number, "metric", message))
        yield TableResult(
            *(source.name, source.sha256, str(benchmark), str(model)),
            None if revision is None else str(revision),
            None if label is None else str(label),
            *(_count(requested), _count(answered)),
            [number for _, number in numbers.values()],
        )


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _table_number(said: dict[str, object]) -> TableNumber:
    kind = said.get("kind")
    metric, kind = published_number(
        str(said["metric"]), None if kind is None else str(kind)
    )
    value = said["value"]
    assert isinstance(value, float)
    return TableNumber(
        view=str(said.get("row", OVERALL)),
        metric=metric if kind == "all" else f"{metric}_{kind}",
        value=value,
        n=_count(said.get("n", said.get("answered", 0))),
        definition=str(said.get("source", AS_REPORTED)),
    )
