"""Runs of a benchmark ranked on the items they share, by what their pairs show.

A run that lacks much gives way: it would make the cohort of all the others small. It is
named, and stays when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from jevdb.base.errors import JevdbError
from jevdb.base.metrics import REASONS, sign
from jevdb.base.wording import command
from jevdb.comparison.all_pairs import DIGITS, all_pairs, pair_level
from jevdb.comparison.board import (
    ALSO_SHOWN,
    OWN_REVERSES,
    Entry,
    Leaderboard,
    Request,
)
from jevdb.comparison.bootstrap import Bootstrap, bootstrap
from jevdb.comparison.cohorts import (
    Candidates,
    Rule,
    read_candidates,
    require_cohort,
)
from jevdb.comparison.entrants import giving_way
from jevdb.comparison.paired import Scores, one_row, paired
from jevdb.comparison.rules import IntervalRule
from jevdb.comparison.standing import Standing, resampled_standings, standings
from jevdb.numerics.binomial import Bounds
from jevdb.numerics.discordant import LEVEL
from jevdb.scoring.as_of import then
from jevdb.scoring.differences import Unknown
from jevdb.scoring.keys import Key
from jevdb.scoring.names import require_method
from jevdb.scoring.selection import Selection

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run


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
    chosen = one_row(request.report_row)
    selection = field.selection([request.method_id])
    asked = [request.number]
    with paired(connection, selection, chosen, request.cluster, asked) as scores:
        drawn = None
        if request.rule is IntervalRule.BOOTSTRAP:
            drawn = bootstrap(connection, metrics=[request.number.metric], rows=chosen)
        [report_row] = scores.report_rows
        board = Ranking(field, scores, drawn).board(report_row, request.method_id)
    return _with_own(connection, field, board)


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

    @property
    def own(self) -> Field | None:
        """The same runs over every item asked for; None where that is the cohort.

        Items that came to the benchmark after one of the runs stay out: the run was
        never asked them.
        """
        if self.request.asked.rule is Rule.OWN:
            return None
        faults = self.candidates.faults
        late = {
            item_id
            for run in self.in_cohort
            for item_id, fault in faults[run.run_id].items()
            if fault == "added_later"
        }
        asked = [item for item in self.candidates.types if item not in late]
        return (
            None if len(asked) == len(self.item_ids) else replace(self, item_ids=asked)
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    """A field and its scores, from which any of its boards is made."""

    field: Field
    scores: Scores
    drawn: Bootstrap | None = None

    def board(self, report_row: str, method_id: str) -> Leaderboard:
        """Return the board: those in the cohort, then those that gave way."""
        request = self.field.request._replace(method_id=method_id)
        key = Key(report_row, method_id, *request.number)
        places, why = self.ranked(key)
        others = [run for run in self.field.in_cohort if run not in places]
        by_id = {run.run_id: run for run in request.runs}
        cluster, _ = self.scores.evidence.cluster_words(report_row)
        clusters = self.scores.evidence.clusters(report_row)
        return Leaderboard(
            request=request,
            report_row=report_row,
            n_items=len(self.scores.evidence.items.item_ids),
            n_asked=len(self.field.candidates.types),
            gold_revision=self.scores.gold_revision,
            level=LEVEL if self.drawn else pair_level(len(places)),
            cluster=cluster,
            clusters=clusters.words if clusters else "items as independent",
            why=why,
            entries=[
                *(self._entry(key, run, place) for run, place in places.items()),
                *(self._entry(key, run, note=self._reason(key, run)) for run in others),
                *(
                    self._entry(key, by_id[name], note=why_not)
                    for name, why_not in self.field.notes.items()
                ),
            ],
        )

    def ranked(self, key: Key) -> tuple[dict[Run, Standing], Unknown | None]:
        """Return the standings, best first, and why no pair could be tested."""
        shown = {
            run: value
            for run in self.field.in_cohort
            if (value := self.scores.value(run.run_id, key).value) is not None
        }
        if not shown:
            return {}, None
        direction = sign(key.metric)
        ordered = sorted(
            shown,
            key=lambda run: (
                -round(direction * shown[run], DIGITS),
                run.name,
                run.run_id,
            ),
        )
        values = [direction * shown[run] for run in ordered]
        if self.drawn is not None:
            drawn = np.stack([self.drawn.of(key, run.run_id) for run in ordered])
            places = resampled_standings(values, direction * drawn)
            return dict(zip(ordered, places, strict=True)), None
        numbers = [shown[run] for run in ordered]
        run_ids = [run.run_id for run in ordered]
        tested = all_pairs(self.scores.evidence, key, run_ids, numbers)
        found = standings(values, tested, numbers)
        return dict(zip(ordered, found, strict=True)), tested.why

    def _reason(self, key: Key, run: Run) -> str:
        return REASONS[self.scores.value(run.run_id, key).reason or "no_rows"]

    def _entry(
        self,
        key: Key,
        run: Run,
        standing: Standing | None = None,
        note: str | None = None,
    ) -> Entry:
        candidates, kept = self.field.candidates, set(self.field.item_ids)
        lacking = len(candidates.faults[run.run_id])
        invalid = candidates.invalid[run.run_id]
        value = self.scores.value(run.run_id, key)
        interval, reason = self._interval(key, run)
        return Entry(
            run=run,
            coverage=1 - (lacking + len(invalid)) / len(candidates.types),
            unsupported_types=self.field.unsupported[run.run_id],
            value=value,
            interval=interval,
            interval_reason=reason,
            standing=standing,
            note=note,
            numbers=[
                self.scores.value(run.run_id, Key(*key[:2], *number))
                for number in ALSO_SHOWN
            ],
            n_invalid=len(invalid & kept),
            own_rank=standing and standing.rank,
        )

    def _interval(self, key: Key, run: Run) -> tuple[Bounds | None, str | None]:
        value = self.scores.value(run.run_id, key)
        if value.value is None:
            return None, value.reason
        if self.drawn is not None:
            found = self.drawn.interval(key, run.run_id)
            if found is None or found.low is None or found.high is None:
                return None, "no_rows"
            return Bounds(found.low, found.high), None
        alone = self.scores.alone(key, run.run_id)
        return (None, alone.reason) if isinstance(alone, Unknown) else (alone, None)


def _with_own(connection: Connection, field: Field, board: Leaderboard) -> Leaderboard:
    own = field.own
    if own is None:
        return board
    request = field.request
    selection = own.selection([request.method_id])
    chosen = one_row(board.report_row)
    asked = [request.number]
    with paired(connection, selection, chosen, request.cluster, asked) as scores:
        drawn = None
        if request.rule is IntervalRule.BOOTSTRAP:
            drawn = bootstrap(connection, metrics=[request.number.metric], rows=chosen)
        return with_own(board, Ranking(own, scores, drawn))


def with_own(board: Leaderboard, own: Ranking) -> Leaderboard:
    """Return the board with the ranks over every item, and what they reverse."""
    request = board.request
    key = Key(board.report_row, request.method_id, *request.number)
    places, _ = own.ranked(key)
    reversed_runs = _reversed(board.ranked, places)
    entries = [
        replace(
            entry,
            own_rank=places[entry.run].rank if entry.run in places else None,
            warnings=[OWN_REVERSES] if entry.run in reversed_runs else [],
        )
        for entry in board.entries
    ]
    return replace(board, entries=entries)


def _reversed(ranked: Iterable[Entry], own: Mapping[Run, Standing]) -> set[Run]:
    """Return the runs of pairs in the other order, and those that (no longer) lead."""
    both = [entry for entry in ranked if entry.run in own]
    found: set[Run] = set()
    for entry in both:
        assert entry.standing is not None
        if entry.standing.leads != own[entry.run].leads:
            found.add(entry.run)
    ranks = np.array([entry.standing.rank for entry in both if entry.standing])
    owns = np.array([own[entry.run].rank for entry in both])
    if both:
        shared = np.sign(ranks[:, np.newaxis] - ranks)
        other = np.sign(owns[:, np.newaxis] - owns)
        crossed = (shared * other < 0).any(axis=1)
        found |= {
            entry.run for entry, is_one in zip(both, crossed, strict=True) if is_one
        }
    return found
