"""Whether published numbers recompute from the warehouse, one by one.

A claim is a published number with what it should be: a metric of a run in a report row,
or the result of a query over that run alone. It recomputes when both numbers differ by
no more than the tolerance; where the warehouse has no value, it lacks data, and why.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.metrics import Number
from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular
from jevdb.scoring.adhoc import require_select
from jevdb.scoring.names import require_method
from jevdb.scoring.numbers import Value, read_numbers
from jevdb.scoring.runs import Run, all_runs, resolve
from jevdb.scoring.selection import Dimension, Selection, selected

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

RECOMPUTES, DIFFERS, LACKS = "recomputes", "differs", "lacks data"
TOLERANCE = 1e-9


class Meaning(NamedTuple):
    """What a published number should be.

    ``of`` is value, n or n_scope of the metric, times ``scale``; ``by`` adds report
    rows per tier, family, domain or type. With ``sql`` it is the query's one value.
    """

    run: str
    benchmark_id: str | None = None
    report_row: str = ""
    metric: str = ""
    kind: str = "all"
    of: str = "value"
    scale: float = 1.0
    by: Dimension | None = None
    sql: str | None = None
    key: str | None = None


class Claim(NamedTuple):
    """A published number: where it stands, what it should be, or why nobody can say."""

    place: str
    published: float | None
    tolerance: float
    meaning: Meaning | None
    why: str | None = None


class Verdict(NamedTuple):
    """What became of a claim."""

    place: str
    published: float | None
    recomputed: float | None
    difference: float | None
    tolerance: float
    verdict: str
    why: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Tabular):
    """Which published numbers recompute, which differ, and which lack data."""

    verdicts: Sequence[Verdict]

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        found = dict.fromkeys((RECOMPUTES, DIFFERS, LACKS), 0)
        for each in self.verdicts:
            found[each.verdict] += 1
        return found

    @property
    def passed(self) -> bool:
        """Whether no number differs."""
        return not self.counts[DIFFERS]

    def rows(self) -> Rows:
        """Return a row per number."""
        return Rows(Verdict._fields, self.verdicts)

    def heading(self) -> Iterable[str]:
        """Return the counts in a line."""
        yield ", ".join(f"{count} {word}" for word, count in self.counts.items())


def verify(
    connection: Connection, claims: Sequence[Claim], method_id: str
) -> Verification:
    """Return the verdict on each claim, in their order.

    Raises
    ------
    UnknownNameError
        A method that the warehouse does not know.
    JevdbError
        A mapping's query that is not one select, or that DuckDB refuses.
    """
    require_method(connection, method_id)
    known = all_runs(connection)
    found: dict[int, Verdict] = {}
    asked: list[tuple[str, str, int, Run]] = []
    for i, claim in enumerate(claims):
        if claim.meaning is None:
            found[i] = _verdict(claim, None, claim.why)
            continue
        run = _run(known, claim.meaning)
        if isinstance(run, str):
            found[i] = _verdict(claim, None, run)
        else:
            asked.append((run.run_id, claim.meaning.by or "", i, run))
    for (run_id, by), group in groupby(sorted(asked), key=lambda each: each[:2]):
        selection = Selection(run_ids=[run_id], methods=[method_id], by=_dimension(by))
        with selected(connection, selection):
            numbers = {
                (each.report_row, each.number): each.value
                for each in read_numbers(connection)
            }
            for *_, i, _run_asked in group:
                value, why = _recomputed(connection, claims[i], numbers)
                found[i] = _verdict(claims[i], value, why)
    return Verification([found[i] for i in range(len(claims))])


def _dimension(by: str) -> Dimension | None:
    dimensions: dict[str, Dimension] = {
        **{"type": "type", "tier": "tier", "family": "family", "domain": "domain"}
    }
    return dimensions.get(by)


def _run(known: Sequence[Run], meaning: Meaning) -> Run | str:
    """Return the run a claim is about, or why there is none."""
    wanted = [
        run
        for run in known
        if meaning.benchmark_id in (None, run.benchmark_id, run.benchmark)
    ]
    try:
        return resolve(wanted, meaning.run)
    except UsageError as error:
        return str(error)


def _recomputed(
    connection: Connection, claim: Claim, numbers: Mapping[tuple[str, Number], Value]
) -> tuple[float | None, str | None]:
    """Return what a claim recomputes to, or None and why."""
    meaning = claim.meaning
    assert meaning is not None
    if meaning.sql is not None:
        return _queried(connection, meaning)
    number = Number(meaning.metric, meaning.kind)
    found = numbers.get((meaning.report_row, number))
    if found is None:
        return None, (
            f"no {meaning.metric} ({meaning.kind}) in report row {meaning.report_row}"
        )
    value: float | None = getattr(found, meaning.of)
    return (None, found.reason) if value is None else (value * meaning.scale, None)


def _queried(
    connection: Connection, meaning: Meaning
) -> tuple[float | None, str | None]:
    import duckdb

    text = str(meaning.sql)
    parameters = {"key": meaning.key} if "$key" in text else None
    try:
        require_select(connection, text)
        rows = connection.execute(text, parameters).fetchall()
    except duckdb.Error as error:
        raise JevdbError(f"{text}: {str(error).splitlines()[0]}") from error
    value = rows[0][0] if rows else None
    if value is None:
        return None, "the query gives no value"
    return float(value) * meaning.scale, None


def _verdict(claim: Claim, value: float | None, why: str | None) -> Verdict:
    published = claim.published
    if published is None and value is None:
        return Verdict(claim.place, None, None, None, claim.tolerance, RECOMPUTES, why)
    if value is None:
        return Verdict(claim.place, published, None, None, claim.tolerance, LACKS, why)
    if published is None:
        why = "published as not available"
        return Verdict(claim.place, None, value, None, claim.tolerance, DIFFERS, why)
    difference = value - published
    # The tolerance itself is a rounded number: half a unit of a decimal place.
    slack = claim.tolerance + 2 * math.ulp(max(abs(published), 1.0))
    verdict = RECOMPUTES if abs(difference) <= slack else DIFFERS
    return Verdict(
        claim.place, published, value, difference, claim.tolerance, verdict, None
    )
