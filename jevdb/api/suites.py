"""Suites: one score over many benchmarks, added from a file and ranked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.api.base import RunNames, Then, as_of_text, texts, words
from jevdb.api.looking import Looking
from jevdb.base.output import collected
from jevdb.base.tabular import Listing

if TYPE_CHECKING:
    from jevdb.api.sources import AnyPath
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run
    from jevdb.suites.board import SuiteBoard
    from jevdb.suites.document import Suite
    from jevdb.suites.gate import SuiteVerdict
    from jevdb.suites.report import SuiteComparison, SuiteExplanation, SuiteReport
    from jevdb.suites.roster import Request


class Suites(Looking):
    """Scores over many benchmarks."""

    def add_suite(self, file: AnyPath) -> tuple[Suite, bool]:
        """Store the suite of a TOML file.

        Parameters
        ----------
        file : path
            See `jevdb suites add --help`.

        Returns
        -------
        tuple of Suite and bool
            The suite, its defaults filled in, and whether it was not there already.

        Raises
        ------
        InputError
            The file has faults; all of them are named.
        ConflictError
            Another suite has this name and version.
        """
        from jevdb.suites.storing import add_suite

        return self._write(lambda connection: add_suite(connection, Path(file)))

    def suites(self) -> Listing:
        """Return the suites, in the order in which they were added."""
        from jevdb.warehouse.sqlfiles import query

        with self._reader() as connection:
            connection.execute(query("suites/listed"))
            return Listing(collected(connection))

    def suite_definition(self, name: str) -> Suite:
        """Return a suite as it is stored: its document with the defaults filled in.

        Parameters
        ----------
        name : str
            Its name, which means the version added last, or ``name@version``.

        Raises
        ------
        UnknownNameError
            There is none.
        """
        from jevdb.suites.storing import find_suite

        with self._reader() as connection:
            return find_suite(connection, name)

    def suite(
        self,
        name: str,
        *,
        run: RunNames = None,
        entrant: str | Iterable[str] = (),
        drop: str | Iterable[str] = (),
        reported: bool = False,
        mixed: bool = False,
        as_of: Then = None,
    ) -> SuiteBoard:
        """Rank the entrants of a suite.

        An entrant is a model by its exact name, revision and label; what it has for a
        member is the newest current public run of that name on the benchmark.

        Parameters
        ----------
        name : str
            The suite, or ``name@version``.
        run : run, or several, optional
            Runs that are taken for their entrant, whatever is newest.
        entrant : str, or several
            ``NAME=MODEL[@REVISION][#LABEL]`` joins unlike names under one.
        drop : str, or several
            Entrants to leave out.
        reported : bool
            Take published results of entrants without any run, marked.
        mixed : bool
            Take them beside runs of one entrant too, marked.
        as_of : int, str or date, optional
            What the warehouse held then.

        Returns
        -------
        SuiteBoard
            The entrants, best first, with intervals and the ranks that are possible.
        """
        from jevdb.suites.leaderboard import leaderboard

        with self._reader() as connection:
            request = self._suite_request(
                connection, name, run, entrant, drop, reported, mixed, as_of
            )
            return leaderboard(connection, request)

    def export_suite(
        self,
        name: str,
        *,
        run: RunNames = None,
        entrant: str | Iterable[str] = (),
        drop: str | Iterable[str] = (),
        reported: bool = False,
        mixed: bool = False,
        as_of: Then = None,
    ) -> bytes:
        """Return the board of a suite as a document: canonical JSON, the same always.

        Parameters
        ----------
        name, run, entrant, drop, reported, mixed, as_of
            As `suite` takes them.
        """
        from jevdb.suites.exported import to_bytes
        from jevdb.suites.leaderboard import leaderboard

        with self._reader() as connection:
            request = self._suite_request(
                connection, name, run, entrant, drop, reported, mixed, as_of
            )
            return to_bytes(leaderboard(connection, request))

    def report_suite(
        self, name: str, entrant: str | Iterable[str] = (), *, as_of: Then = None
    ) -> SuiteReport:
        """Return what the scores of a suite are made of: a line per member.

        Parameters
        ----------
        name : str
            The suite, or ``name@version``.
        entrant : str, or several
            Only these; all unless given.
        as_of : int, str or date, optional
            What the warehouse held then.
        """
        from jevdb.suites.report import report
        from jevdb.suites.scores import read_scores

        with self._reader() as connection:
            request = self._suite_request(connection, name, as_of=as_of)
            return report(read_scores(connection, request), words(entrant))

    def compare_suite(self, name: str, base: str, other: str) -> SuiteComparison:
        """Return how far apart two entrants of a suite are, and by which members.

        Parameters
        ----------
        name : str
            The suite, or ``name@version``.
        base, other : str
            The entrants; a model's name will do where only one has it.
        """
        from jevdb.suites.leaderboard import made
        from jevdb.suites.report import compare

        with self._reader() as connection:
            request = self._suite_request(connection, name)
            return compare(made(connection, request), base, other)

    def gate_suite(
        self,
        name: str,
        candidate: str,
        baseline: str | None = None,
        *,
        margin: float = 0.0,
        require: str = "not-worse",
    ) -> SuiteVerdict:
        """Hold a candidate to a baseline by the score of a suite.

        Every different candidate that an approved baseline meets is a look, as of
        `gate`.

        Parameters
        ----------
        name : str
            The suite, or ``name@version``.
        candidate : str
            The entrant that is judged.
        baseline : str, optional
            The entrant it is held to; the approved one unless given, see
            `set_suite_baseline`.
        margin : float
            How many points worse is good enough.
        require : {'not-worse', 'non-inferior'}
            Fail on evidence of harm, or pass only on evidence that there is none.
        """
        from jevdb.base.errors import require_word
        from jevdb.comparison.gates.looks import Require
        from jevdb.suites.gate import gate

        require_word("require", require, ["not-worse", "non-inferior"])
        asked = (candidate, baseline, margin, Require(require))

        def judge(connection: Connection, number: int | None = None) -> SuiteVerdict:
            request = self._suite_request(connection, name)
            return gate(connection, request, *asked, number)

        with self._reader() as connection:
            verdict = judge(connection)
        return self._recorded(verdict, judge)

    def set_suite_baseline(
        self,
        name: str,
        entrant: str,
        reason: str | None = None,
        *,
        looks: int | None = None,
    ) -> tuple[list[Run], bool]:
        """Approve every run of an entrant as the baseline of its benchmark.

        So it is the baseline of the suite too, until one of them is approved no more.

        Parameters
        ----------
        name : str
            The suite, or ``name@version``.
        entrant : str
            Which one; it must have a run on every member.
        reason : str, optional
            Why; kept with the events.
        looks : int, optional
            Share the error of its gates out evenly over this many candidates; for ever,
            each with less than the one before, unless given.

        Returns
        -------
        tuple of list of Run and bool
            Its runs, and whether any of them was not the baseline already.

        Raises
        ------
        UsageError
            A member without a run, a run that is withdrawn, or a number of looks below
            1.
        """
        from jevdb.comparison.gates.looks import require_looks
        from jevdb.suites.approvals import approve_entrant

        require_looks(looks)

        def approve(connection: Connection) -> tuple[list[Run], bool]:
            request = self._suite_request(connection, name)
            return approve_entrant(connection, request, entrant, reason, looks)

        return self._write(approve)

    def explain_suite(
        self, name: str, entrant: str, *, as_of: Then = None
    ) -> SuiteExplanation:
        """Return what is behind an entrant's score, down to its answers.

        Parameters
        ----------
        name : str
            The suite, or ``name@version``.
        entrant : str
            The entrant.
        as_of : int, str or date, optional
            What the warehouse held then.
        """
        from jevdb.suites.report import explain

        with self._reader() as connection:
            request = self._suite_request(connection, name, as_of=as_of)
            return explain(connection, request, entrant)

    def _suite_request(
        self,
        connection: Connection,
        name: str,
        run: RunNames = None,
        entrant: str | Iterable[str] = (),
        drop: str | Iterable[str] = (),
        reported: bool = False,
        mixed: bool = False,
        as_of: Then = None,
    ) -> Request:
        from jevdb.scoring.as_of import resolved
        from jevdb.suites.roster import Request, parsed_joins
        from jevdb.suites.storing import find_suite

        return Request(
            suite=find_suite(connection, name),
            runs=texts(run),
            joined=list(parsed_joins(words(entrant))),
            dropped=words(drop),
            reported=reported,
            mixed=mixed,
            as_of=resolved(connection, as_of_text(as_of)),
        )
