"""Runs of a benchmark ranked on the items they share, with honest ties.

A run that lacks much gives way: it would make the cohort of all the others small. It is
named, and stays when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.base.errors import JevdbError
from jevdb.base.metrics import REASONS, REPORT_COLUMNS, sign
from jevdb.base.tabular import Tabular
from jevdb.base.wording import command
from jevdb.comparison.bootstrap import Key
from jevdb.comparison.cohorts import (
    Asked,
    Candidates,
    Rule,
    read_candidates,
    require_cohort,
)
from jevdb.comparison.entrants import LEAST_SHARE, giving_way
from jevdb.comparison.paired import Scores, one_row, paired
from jevdb.comparison.standing import DIGITS, Standing, standings
from jevdb.numerics.resampling import Interval
from jevdb.scoring.as_of import then
from jevdb.scoring.names import require_method
from jevdb.scoring.numbers import Value
from jevdb.scoring.selection import Selection

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.base.metrics import Number
    from jevdb.base.output import Rows
    from jevdb.comparison.leaderboard_lines import Placing
    from jevdb.comparison.leaderboard_reported import Reported
    from jevdb.scoring.runs import Run

ALSO_SHOWN = tuple(number for number in REPORT_COLUMNS if number.metric != "coverage")
"""Metrics and kinds that stand beside the one ranked by."""


class Request(NamedTuple):
    """Which runs are ranked by which number, and on which items.

    Runs give way until ``least_share`` of the items stay; 0 keeps every run.
    """

    benchmark_id: str
    runs: Sequence[Run]
    asked: Asked
    number: Number
    method_id: str
    report_row: str | None = None
    as_of: int | None = None
    least_share: float = LEAST_SHARE


@dataclass(frozen=True, slots=True)
class Entry:
    """A run on the board; without a standing it is not ranked, and ``note`` says why.

    ``coverage`` is the share of the items asked for that it has a usable row for;
    ``numbers`` are those of `ALSO_SHOWN`.
    """

    run: Run
    coverage: float
    unsupported_types: Sequence[str]
    value: Value
    interval: Interval | None
    standing: Standing | None
    note: str | None
    numbers: Sequence[Value]


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard(Tabular):
    """The entries, best first, then those not ranked; and what they were made from.

    ``reported`` are published results that stand below them, or among them by value
    alone, as ``placed`` says.
    """

    request: Request
    report_row: str
    n_items: int
    n_asked: int
    gold_revision: int
    resample_sha256: str
    entries: list[Entry]
    reported: Sequence[Reported] = ()
    placed: Placing | None = None

    def rows(self) -> Rows:
        """Return a row per run, full precision; published results follow."""
        from jevdb.comparison.leaderboard_rows import leaderboard_rows

        return leaderboard_rows(self, self.reported, self._placed)

    def people_rows(self) -> Rows:
        """Return the board as people read it, rounded."""
        from jevdb.comparison.leaderboard_rows import people_rows

        return people_rows(self, self.reported, self._placed)

    def heading(self) -> Iterable[str]:
        """Return what the ranks are by: number, items, who gave way."""
        from jevdb.comparison.leaderboard_rows import heading

        return heading(self, self._placed)

    @property
    def _placed(self) -> Placing:
        from jevdb.comparison.leaderboard_lines import listed_below

        return self.placed or listed_below


def leaderboard(connection: Connection, request: Request) -> Leaderboard:
    """Return the board.

    Raises
    ------
    JevdbError
        There are no runs, or they share no item; see also `jevdb.comparison.cohorts`.
    UnknownNameError
        A method or report row that there is not.
    """
    require_method(connection, request.method_id)
    field = entered(connection, request)
    selection = field.selection([request.method_id])
    chosen = one_row(request.report_row)
    with paired(connection, selection, [request.number.metric], chosen) as scores:
        [report_row] = scores.bootstrap.report_rows
        return Ranking(field, scores).board(report_row, request.method_id)


def entered(connection: Connection, request: Request) -> Field:
    """Return which runs are ranked, and what each lacks; raises as `leaderboard`."""
    if not request.runs:
        raise JevdbError(
            f"{request.benchmark_id} has no runs to rank; published results are in "
            f"{command('results', 'results')}"
        )
    with then(connection, request.as_of):
        candidates = read_candidates(
            connection, request.benchmark_id, request.runs, request.asked
        )
        unsupported = _unsupported_types(connection, request.runs)
    notes = giving_way(request.runs, candidates, unsupported, request.least_share)
    in_cohort = [run for run in request.runs if run.run_id not in notes]
    item_ids = require_cohort(candidates, in_cohort)
    return Field(request, candidates, unsupported, in_cohort, notes, item_ids)


def _unsupported_types(
    connection: Connection, runs: Sequence[Run]
) -> dict[str, Sequence[str]]:
    rows = connection.execute(
        "select run_id, unsupported_types from runs "
        "where run_id in (select unnest($runs))",
        {"runs": [run.run_id for run in runs]},
    ).fetchall()
    return dict(rows)


@dataclass(frozen=True, slots=True)
class Field:
    """The runs of a cohort, its items, and the runs that gave way with the reason."""

    request: Request
    candidates: Candidates
    unsupported: Mapping[str, Sequence[str]]
    in_cohort: Sequence[Run]
    notes: Mapping[str, str]
    item_ids: Sequence[str]

    def selection(self, methods: Sequence[str]) -> Selection:
        """Return what is scored: with `own` also the runs that gave way."""
        is_own = self.request.asked.rule is Rule.OWN
        runs = self.request.runs if is_own else self.in_cohort
        return Selection(
            run_ids=[run.run_id for run in runs],
            methods=methods,
            item_ids=self.item_ids,
            as_of=self.request.as_of,
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    """A field and its scores, from which any of its boards is made."""

    field: Field
    scores: Scores

    def board(self, report_row: str, method_id: str) -> Leaderboard:
        """Return the board: those in the cohort, then those that gave way."""
        request = self.field.request._replace(method_id=method_id)
        key = Key(report_row, method_id, *request.number)
        places = self._ranked(key)
        others = [run for run in self.field.in_cohort if run not in places]
        by_id = {run.run_id: run for run in request.runs}
        return Leaderboard(
            request=request,
            report_row=report_row,
            n_items=len(self.scores.bootstrap.items.item_ids),
            n_asked=len(self.field.candidates.types),
            gold_revision=self.scores.gold_revision,
            resample_sha256=self.scores.bootstrap.resample_sha256,
            entries=[
                *(self._entry(key, run, place) for run, place in places.items()),
                *(self._entry(key, run, note=self._reason(key, run)) for run in others),
                *(
                    self._entry(key, by_id[name], note=why)
                    for name, why in self.field.notes.items()
                ),
            ],
        )

    def _ranked(self, key: Key) -> dict[Run, Standing]:
        direction = sign(key.metric)
        values = {
            run: direction * value
            for run in self.field.in_cohort
            if (value := self.scores.value(run.run_id, key).value) is not None
        }
        if not values:
            return {}
        ordered = sorted(
            values, key=lambda run: (-round(values[run], DIGITS), run.name, run.run_id)
        )
        drawn = [self.scores.bootstrap.of(key, run.run_id) for run in ordered]
        places = standings(
            [values[run] for run in ordered], direction * np.stack(drawn)
        )
        return dict(zip(ordered, places, strict=True))

    def _reason(self, key: Key, run: Run) -> str:
        return REASONS[self.scores.value(run.run_id, key).reason or "no_rows"]

    def _entry(
        self,
        key: Key,
        run: Run,
        standing: Standing | None = None,
        note: str | None = None,
    ) -> Entry:
        lacking = len(self.field.candidates.faults[run.run_id])
        return Entry(
            run=run,
            coverage=1 - lacking / len(self.field.candidates.types),
            unsupported_types=self.field.unsupported[run.run_id],
            value=self.scores.value(run.run_id, key),
            interval=self.scores.interval(key, run.run_id),
            standing=standing,
            note=note,
            numbers=[
                self.scores.value(run.run_id, Key(*key[:2], *number))
                for number in ALSO_SHOWN
            ],
        )
