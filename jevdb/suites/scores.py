"""A suite's values, areas and scores, as the views of ``sql/suites`` make them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.arrow import register
from jevdb.base.metrics import INDICES
from jevdb.scoring.as_of import then
from jevdb.scoring.selection import Selection, Shadows, selected, shadowing
from jevdb.suites.roster import Entrant, Request, Roster, read_roster
from jevdb.warehouse.sqlfiles import program, query
from jevdb.warehouse.writing_out import SUITES

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

STORED = ("suite_numbers", "suite_bases", "suite_values", "suite_counted")
"""Views that are computed once."""
CAST = ("suite_members", "suite_scopes", "suite_entries")
"""Views that the selection and its roster stand for."""


class Member(NamedTuple):
    """A member of a suite, as ``suite_members`` has it."""

    member: int
    benchmark_id: str
    area: str | None
    area_weight: float
    report_row: str | None
    scope_row: str | None
    metric: str
    kind: str
    weight: float
    transform: str
    base: float | None
    base_rule: str | None
    best: float
    clip: bool
    digits: int
    cluster: str
    excluded: Sequence[str]
    exclude_reason: str | None

    @property
    def name(self) -> str:
        """The benchmark, and what of it."""
        return f"{self.benchmark_id} / {self.report_row or 'overall'}"

    @property
    def number(self) -> str:
        """The metric and its kind."""
        return self.metric if self.kind == "all" else f"{self.metric} {self.kind}"


class Value(NamedTuple):
    """What a member is worth for an entrant, as ``suite_values`` has it."""

    member: int
    origin: str | None
    run_id: str | None
    result_sha256: str | None
    raw: float | None
    base: float | None
    value: float | None
    n: int
    n_answers: int | None
    answered: float | None
    reason: str | None
    is_left_out: bool


class Area(NamedTuple):
    """An entrant's mean over the members of an area; weight as the suite says it."""

    area: str
    weight: float
    value: float | None
    n_members: int
    n_missing: int


class Score(NamedTuple):
    """An entrant's score, and what each rule makes of its values (`suite_scores`)."""

    score: float | None
    mean: float | None
    areas: float | None
    geometric: float | None
    borda: float | None
    win_rate: float | None
    median: float | None
    n_members: int
    n_missing: int
    has_reported: bool
    is_ranked: bool
    reason: str | None

    def by(self, rule: str) -> float | None:
        """Return what a rule makes of the values."""
        found: float | None = getattr(self, rule)
        return found


@dataclass(frozen=True, slots=True)
class Scores:
    """All numbers of a suite; the values of an entrant stand in the members' order."""

    request: Request
    roster: Roster
    members: Sequence[Member]
    values: dict[Entrant, list[Value]]
    areas: dict[Entrant, list[Area]]
    scores: dict[Entrant, Score]

    @property
    def left_out(self) -> list[Member]:
        """The members that nobody has a value of."""
        some = next(iter(self.values.values()), [])
        return [m for m, v in zip(self.members, some, strict=False) if v.is_left_out]

    @property
    def counted(self) -> list[Member]:
        """The members that count."""
        gone = self.left_out
        return [member for member in self.members if member not in gone]


@contextmanager
def scored(connection: Connection, request: Request) -> Iterator[Scores]:
    """Give the scores of a suite, and hold its selection open until the block ends.

    Inside, the views of the connection show the runs that take part, and nothing of
    the items that members exclude.
    """
    suite = request.suite
    with then(connection, request.as_of):
        roster = read_roster(connection, request)
    metrics = {str(member["metric"]) for member in suite.members}
    selection = Selection(
        run_ids=roster.run_ids,
        methods=(suite.method,),
        as_of=request.as_of,
        suite=(suite.name, suite.version),
    )
    with selected(connection, selection), shadowing(connection) as shadows:
        _cast_entries(shadows, request, roster)
        shadows.cast_view("report_metrics", _numbers(metrics))
        for view in program():
            if view.name in STORED:
                shadows.cast(view.name, view.body)
            elif view.layer == SUITES and view.name not in CAST:
                shadows.show(view)
        yield _read(connection, request, roster)


def read_scores(connection: Connection, request: Request) -> Scores:
    """Return the scores of a suite."""
    with scored(connection, request) as scores:
        return scores


def _numbers(metrics: Collection[str]) -> str:
    """Return the select of ``report_metrics`` of these metrics alone."""
    views = [f"metric_{each}" for each in sorted(metrics) if each not in INDICES]
    if set(INDICES) & set(metrics):
        views += ["components", "indices"]
    known = {item.name for item in program()}
    selects = [f"select * from {view}" for view in views if view in known]
    return "\nunion all\n".join(selects or ["select * from metric_accuracy limit 0"])


ENTRIES = (
    *("suite", "version", "entrant", "model", "revision", "label", "member"),
    *("origin", "run_id", "result_sha256"),
)


def _cast_entries(shadows: Shadows, request: Request, roster: Roster) -> None:
    """Put a roster before ``suite_entries``."""
    import pyarrow as pa

    suite, version = request.suite.name, request.suite.version
    rows = [
        (suite, version, each.entrant.name, *each.entrant, *each[1:])
        for each in roster.entries
    ]
    columns = list(zip(*rows, strict=True)) or [()] * len(ENTRIES)
    kinds = {"member": pa.int32()}
    arrays = {
        name: pa.array(column, kinds.get(name, pa.string()))
        for name, column in zip(ENTRIES, columns, strict=True)
    }
    register(shadows.connection, "suite_roster", pa.table(arrays))
    try:
        shadows.cast("suite_entries", "select * from suite_roster")
    finally:
        shadows.connection.unregister("suite_roster")


def _read(connection: Connection, request: Request, roster: Roster) -> Scores:
    def rows(name: str) -> list[tuple[object, ...]]:
        return connection.execute(query(name)).fetchall()

    values: dict[Entrant, list[Value]] = {}
    for row in rows("suites/values"):
        values.setdefault(Entrant(*row[:3]), []).append(Value(*row[3:]))  # type: ignore[arg-type]
    areas: dict[Entrant, list[Area]] = {entrant: [] for entrant in values}
    for row in rows("suites/areas"):
        areas[Entrant(*row[:3])].append(Area(*row[3:]))  # type: ignore[arg-type]
    return Scores(
        request=request,
        roster=roster,
        members=[Member(*row) for row in rows("suites/members")],  # type: ignore[arg-type]
        values=values,
        areas=areas,
        scores={
            Entrant(*row[:3]): Score(*row[3:])  # type: ignore[arg-type]
            for row in rows("suites/scores")
        },
    )
