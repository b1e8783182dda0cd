"""The boards of a benchmark: every cohort, report row and method, and what is behind.

Each cohort is read once, for all its boards; numbers over the same items and runs
are explained once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import JevdbError
from jevdb.base.metrics import Number
from jevdb.comparison.board import Request
from jevdb.comparison.entrants import latest_of_each_model
from jevdb.comparison.leaderboard import Field, Ranking, entered, with_own
from jevdb.comparison.paired import paired
from jevdb.scoring.keys import Key
from jevdb.site.boards import RANKED_BY, Table, board_table
from jevdb.site.cohorts import OWN, Cohort, cohorts_of, most_ranked
from jevdb.site.numbers import read_numbers
from jevdb.site.pairs import Pair, paired_runs, pairs

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.comparison.board import Leaderboard
    from jevdb.comparison.paired import Scores
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.runs import Run
    from jevdb.scoring.selection import Selection
    from jevdb.site.answers import Answers
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.run_pages import RunSite

WITH_INTERVALS = (RANKED_BY, Number("calibration", "all"), Number("accuracy", "all"))


class Lack(NamedTuple):
    """What a run lacks of the items asked for, and whether it gave way for it."""

    run: Run
    words: str
    gave_way: bool


class Made(NamedTuple):
    """A cohort's boards by report row and method, and what they were made on.

    ``explained`` is the cohort under whose word the numbers are explained.
    """

    cohort: Cohort
    explained: str
    boards: dict[tuple[str, str], tuple[Leaderboard, Table]]
    item_ids: list[str]
    n_asked: int
    in_cohort: Sequence[Run]
    lacks: list[Lack]

    @property
    def report_rows(self) -> list[str]:
        """The report rows, most items first."""
        return list(dict.fromkeys(report_row for report_row, _ in self.boards))


class Skipped(NamedTuple):
    """A cohort without a board, and why."""

    cohort: Cohort
    why: str


class Contest:
    """Makes the boards; the pages behind their numbers are written on the way."""

    def __init__(
        self,
        connection: Connection,
        contents: Contents,
        benchmark: Benchmark,
        runs: RunSite,
        answers: Answers,
    ):
        self.connection = connection
        self.contents = contents
        self.benchmark = benchmark
        self.runs = runs
        self.answers = answers
        self.entrants = latest_of_each_model(contents.runs_of(benchmark))
        self.made: list[Made] = []
        self.skipped: list[Skipped] = []
        self.first: Made | None = None
        self.pairs: list[Pair] = []
        self.items: dict[str, frozenset[str]] = {}
        self._own: dict[str, Scores] = {}

    def hold(self) -> None:
        """Make the boards of every cohort; the first that ranks most comes first."""
        fields = self._fields()
        first = next((cohort for cohort, field in fields if most_ranked(field)), OWN)
        groups: dict[str, list[tuple[Cohort, Field]]] = {}
        for cohort, field in fields:
            selection = field.selection(())
            rows = _rows_of(selection)
            groups.setdefault(rows, []).append((cohort, field))
        for alike in groups.values():
            try:
                self._hold_alike(alike, first)
            except JevdbError as error:
                self.skipped += [Skipped(cohort, error.in_shell) for cohort, _ in alike]
        order = [cohort.key for cohort, _ in fields]
        self.made.sort(key=lambda made: order.index(made.cohort.key))

    def _fields(self) -> list[tuple[Cohort, Field]]:
        found = []
        for cohort in cohorts_of(self.answers.items.values()):
            request = Request(
                self.benchmark.benchmark_id,
                self.entrants,
                cohort.asked,
                RANKED_BY,
                self.contents.method_ids[0],
            )
            try:
                found.append((cohort, entered(self.connection, request)))
            except JevdbError as error:
                self.skipped.append(Skipped(cohort, error.in_shell))
        return found

    def _hold_alike(self, alike: list[tuple[Cohort, Field]], first: Cohort) -> None:
        """Make the boards of cohorts of the same rows: they share their scores."""
        cohort, field = alike[0]
        selection = field.selection(self.contents.method_ids)
        with paired(self.connection, selection, reports=None) as scores:
            explained = self._explain(cohort, field, scores)
        for cohort, field in alike:
            boards = self._boards(Ranking(field, scores), self._ranked_on_all(field))
            made = Made(
                cohort=cohort,
                explained=explained,
                boards={
                    (board.report_row, board.request.method_id): (
                        board,
                        self._table(scores, board, explained),
                    )
                    for board in boards
                },
                item_ids=scores.evidence.items.item_ids,
                n_asked=len(field.candidates.types),
                in_cohort=field.in_cohort,
                lacks=_lacks(field),
            )
            self.made.append(made)
            if cohort == first:
                self._lead(made, scores, field)

    def _lead(self, made: Made, scores: Scores, field: Field) -> None:
        """Take these boards for the first, and compare the runs on them."""
        self.first = made
        method_id = self.contents.method_ids[0]
        board, _ = made.boards[made.report_rows[0], method_id]
        chosen = paired_runs(board)
        found = pairs(scores, self.answers, chosen, method_id, field.candidates)
        self.pairs = list(found)

    def _explain(self, cohort: Cohort, field: Field, scores: Scores) -> str:
        """Write the pages behind the numbers; return the cohort they are called by."""
        items = frozenset(scores.evidence.items.item_ids)
        if items == self.answers.scoped:
            return OWN.key
        numbers = read_numbers(self.connection, self.contents.method_ids)
        self.items[cohort.key] = items
        for run in field.in_cohort:
            self.runs.numbers(run, cohort, numbers)
        self.runs.cohort_sql(self.connection, cohort, field.in_cohort, items)
        return cohort.key

    def _ranked_on_all(self, field: Field) -> Ranking | None:
        """Rank the runs over every item asked for; None where that is their cohort."""
        own = field.own
        if own is None:
            return None
        selection = own.selection(self.contents.method_ids)
        rows = _rows_of(selection)
        if rows not in self._own:
            with paired(self.connection, selection, reports=None) as scores:
                self._own[rows] = scores
        return Ranking(own, self._own[rows])

    def _boards(self, ranking: Ranking, own: Ranking | None) -> Iterator[Leaderboard]:
        for report_row in ranking.scores.report_rows:
            for method_id in self.contents.method_ids:
                board = ranking.board(report_row, method_id)
                yield with_own(board, own) if own else board

    def _table(self, scores: Scores, board: Leaderboard, explained: str) -> Table:
        def href(run: Run, number: Number) -> str:
            pages = self.contents.pages(run)
            return pages.number(explained, board.report_row, *number)

        def interval(run: Run, number: Number) -> Bounds | None:
            if number not in WITH_INTERVALS:
                return None
            key = Key(board.report_row, board.request.method_id, *number)
            return scores.interval(key, run.run_id)

        is_whole = board.request.method_id == self.contents.method_ids[0]
        return board_table(
            board, self.contents.origins, href, interval, is_whole=is_whole
        )


def _rows_of(selection: Selection) -> str:
    """Return a word for the rows that are scored."""
    return str((selection.run_ids, selection.item_ids))


def _lacks(field: Field) -> list[Lack]:
    """Return what each run lacks, those that gave way first."""
    found = [
        Lack(
            run,
            field.notes.get(run.run_id) or field.candidates.lacks(run.run_id),
            run.run_id in field.notes,
        )
        for run in field.request.runs
        if field.candidates.faults[run.run_id] or run.run_id in field.notes
    ]
    return sorted(found, key=lambda lack: not lack.gave_way)
