"""Runs of a benchmark ranked on the items they share, with honest ties.

A run that lacks much gives way: it would make the cohort of all the others small. It is
named, and stays when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from jevdb.as_of import then
from jevdb.comparison.bootstrap import Key
from jevdb.comparison.cohorts import (
    Asked,
    Candidates,
    Rule,
    read_candidates,
    require_cohort,
)
from jevdb.comparison.entrants import LEAST_SHARE, giving_way
from jevdb.comparison.paired import Scores, Value, one_row, paired
from jevdb.comparison.resampling import Interval
from jevdb.comparison.standing import DIGITS, Standing, standings
from jevdb.directions import sign
from jevdb.errors import JevdbError
from jevdb.names import require_method
from jevdb.reports.report_text import REASONS
from jevdb.selection import Selection

if TYPE_CHECKING:
    from jevdb.metric_names import Number
    from jevdb.runs import Run
    from jevdb.warehouse.database import Connection

ALSO_SHOWN = (
    *(("accuracy", "all"), ("intelligence", "all"), ("calibration", "all")),
    *(("ece", "choice"), ("ece", "noul"), ("ece", "score"), ("ece", "pooled")),
    *(("tvd", "all"), ("rps", "score")),
)
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


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The entries, best first, then those not ranked; and what they were made from."""

    request: Request
    report_row: str
    n_items: int
    n_asked: int
    gold_revision: int
    resample_sha256: str
    entries: list[Entry]


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
    if not request.runs:
        raise JevdbError(
            f"{request.benchmark_id} has no runs to rank; published results are in "
            "`jevdb results`"
        )
    with then(connection, request.as_of):
        candidates = read_candidates(
            connection, request.benchmark_id, request.runs, request.asked
        )
        unsupported = _unsupported_types(connection, request.runs)
    notes = giving_way(request.runs, candidates, unsupported, request.least_share)
    in_cohort = [run for run in request.runs if run.run_id not in notes]
    scored = request.runs if request.asked.rule is Rule.OWN else in_cohort
    selection = Selection(
        run_ids=[run.run_id for run in scored],
        methods=[request.method_id],
        item_ids=require_cohort(candidates, in_cohort),
        as_of=request.as_of,
    )
    chosen = one_row(request.report_row)
    with paired(connection, selection, [request.number.metric], chosen) as scores:
        board = _Board(request, candidates, unsupported, scores)
        return board.made(in_cohort, notes)


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
class _Board:
    """Makes the entries from the scores of the cohort."""

    request: Request
    candidates: Candidates
    unsupported: Mapping[str, Sequence[str]]
    scores: Scores

    @property
    def key(self) -> Key:
        [report_row] = self.scores.bootstrap.report_rows
        return Key(report_row, self.request.method_id, *self.request.number)

    def made(self, in_cohort: Sequence[Run], notes: Mapping[str, str]) -> Leaderboard:
        """Return the board: those in the cohort, then those that gave way."""
        ranked = self._ranked(in_cohort)
        others = [run for run in in_cohort if run not in ranked]
        by_id = {run.run_id: run for run in self.request.runs}
        return Leaderboard(
            request=self.request,
            report_row=self.key.report_row,
            n_items=len(self.scores.bootstrap.items.item_ids),
            n_asked=len(self.candidates.types),
            gold_revision=self.scores.gold_revision,
            resample_sha256=self.scores.bootstrap.resample_sha256,
            entries=[
                *(self._entry(run, place) for run, place in ranked.items()),
                *(self._entry(run, note=self._reason(run)) for run in others),
                *(self._entry(by_id[name], note=why) for name, why in notes.items()),
            ],
        )

    def _ranked(self, runs: Sequence[Run]) -> dict[Run, Standing]:
        direction = sign(self.request.number.metric)
        values = {
            run: direction * value
            for run in runs
            if (value := self.scores.value(run.run_id, self.key).value) is not None
        }
        if not values:
            return {}
        ordered = sorted(
            values, key=lambda run: (-round(values[run], DIGITS), run.name, run.run_id)
        )
        drawn = [self.scores.bootstrap.of(self.key, run.run_id) for run in ordered]
        places = standings(
            [values[run] for run in ordered], direction * np.stack(drawn)
        )
        return dict(zip(ordered, places, strict=True))

    def _reason(self, run: Run) -> str:
        return REASONS[self.scores.value(run.run_id, self.key).reason or "no_rows"]

    def _entry(
        self, run: Run, standing: Standing | None = None, note: str | None = None
    ) -> Entry:
        lacking = len(self.candidates.faults[run.run_id])
        return Entry(
            run=run,
            coverage=1 - lacking / len(self.candidates.types),
            unsupported_types=self.unsupported[run.run_id],
            value=self.scores.value(run.run_id, self.key),
            interval=self.scores.interval(self.key, run.run_id),
            standing=standing,
            note=note,
            numbers=[
                self.scores.value(run.run_id, Key(*self.key[:2], *number))
                for number in ALSO_SHOWN
            ],
        )
