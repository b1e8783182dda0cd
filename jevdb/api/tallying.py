"""Scoring ahead: what a report counts, counted once and kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from jevdb.api.base import Base, RunNames, Then, as_of_text, words
from jevdb.api.closed_words import DIMENSIONS, closed
from jevdb.base.errors import UsageError
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.engines import Engine
    from jevdb.scoring.score import Plan, Wanted
    from jevdb.scoring.scored import Scored
    from jevdb.scoring.selection import Dimension, Selection
    from jevdb.scoring.tallying import Map, Tallied
    from jevdb.warehouse.checks import Fault
    from jevdb.warehouse.seals import Seal

OnRows = Callable[[int, int], None]
"""Told how many rows are counted, and of how many."""


class Tallying(Base):
    """Tallies counted ahead, here or elsewhere, and kept in the warehouse."""

    @closed(by=DIMENSIONS)
    def score(
        self,
        run: RunNames = None,
        *,
        benchmark: str | None = None,
        method: str | Iterable[str] | None = None,
        gold_revision: int | None = None,
        as_of: Then = None,
        by: Dimension | None = None,
        on: str | None = None,
        map: Map | None = None,
        check: int = 0,
        on_rows: OnRows | None = None,
    ) -> Scored:
        """Count what reports over these runs take of their rows, and keep it.

        Reports, exports and boards then read a few dozen rows a run, not all. No number
        changes: what is kept stands under digests of all that it follows from, and
        where one differs the rows are counted as ever.

        Parameters
        ----------
        run : run, or several, optional
            Every current run unless given.
        benchmark : str, optional
            Only runs of this one.
        method : str or iterable of str, optional
            Scoring methods; every one of the warehouse unless given.
        gold_revision : int, optional
            For reports by this revision, not the newest.
        as_of : int, str or date, optional
            For reports as of then.
        by : {'type', 'tier', 'family', 'domain'}, optional
            For reports that have a line per type, tier, ...
        on : str, optional
            Count elsewhere: ``"processes:N"``, ``"ray"``, ``"ray:ADDRESS"`` or
            ``"dask:ADDRESS"``.
        map : callable, optional
            Counts anywhere: called with a function and tasks of bytes, it returns what
            the function gives for each, in any order. `jevdb.scoring.tallying`.
        check : int
            Count the kept tallies of so many runs again, and compare.
        on_rows : callable, optional
            Told how many rows are counted, and of how many.

        Returns
        -------
        Scored
            How many runs and rows were counted, and the faults that were found.

        Raises
        ------
        UsageError
            *on* names no engine, or *map* is given too.
        OtherVersion
            What counts has another jevdb or DuckDB.

        Examples
        --------
        >>> _ = new.score()
        >>> new.score().n_counted  # All is kept by now.
        0
        """
        from jevdb.scoring.engines import Engine, engine_of
        from jevdb.scoring.scored import Scored
        from jevdb.warehouse.seals import own_seal

        if on is not None and map is not None:
            raise UsageError(f"{option('on')} and {option('map')} exclude each other")
        self._require_writable()
        seal = own_seal()
        methods = None if method is None else words(method)
        with self._reader() as connection:
            selection = self._to_score(
                connection, run, benchmark, methods, gold_revision, as_of, by
            )
            planned = _planned(connection, selection)
            faults, n_checked = _checked(connection, selection, planned, check)
        done, n_rows = 0, 0
        with engine_of(on) as engine:
            used = engine if map is None else Engine(map)
            for chunk in planned.chunks(used.n_workers):
                found = self._counted(selection, chunk, used)
                self._keep(found, planned.missing, seal)
                faults += wrong(found)
                n_rows += sum(each.n_rows for each in found)
                done += sum(len(each.run_ids) - len(each.faults) for each in found)
                if on_rows:
                    on_rows(n_rows, planned.n_rows)
        return Scored(len(planned.kept), done, n_rows, n_checked, sorted(set(faults)))

    def _to_score(
        self,
        connection: Connection,
        run: RunNames,
        benchmark: str | None,
        methods: tuple[str, ...] | None,
        gold_revision: int | None,
        as_of: Then,
        by: Dimension | None,
    ) -> Selection:
        from jevdb.scoring.as_of import resolved, then
        from jevdb.scoring.names import require_method
        from jevdb.scoring.report import require_gold_revision
        from jevdb.scoring.selection import Selection

        for each in methods or ():
            require_method(connection, each)
        seq = resolved(connection, as_of_text(as_of))
        with then(connection, seq):
            runs = self._runs(connection, run, benchmark)
            require_gold_revision(connection, gold_revision, runs)
        return Selection(
            run_ids=[each.run_id for each in runs],
            methods=methods,
            gold_revision=gold_revision,
            as_of=seq,
            by=by,
        )

    def _counted(
        self, selection: Selection, chunk: list[list[Wanted]], engine: Engine
    ) -> list[Tallied]:
        """Count a chunk; the file is free for others while its rows are counted."""
        from jevdb.scoring.score import require_asked, tasks
        from jevdb.scoring.tallying import tally

        mine = replace(
            selection, run_ids=[each.run_id for group in chunk for each in group]
        )
        with self._reader() as connection:
            asked = tasks(connection, mine, chunk, engine.threads)
        return require_asked(engine.map(tally, asked), asked)

    def _keep(
        self, found: list[Tallied], wanted: tuple[Wanted, ...], seal: Seal
    ) -> None:
        from jevdb.scoring.score import keep

        self._write(lambda connection: keep(connection, found, wanted, seal))


def wrong(found: Iterable[Tallied]) -> list[Fault]:
    """Return what is wrong with runs that were to be counted."""
    from jevdb.scoring.kept_check import WRONG
    from jevdb.warehouse.checks import Fault

    return [Fault(WRONG, *fault) for each in found for fault in each.faults]


def _planned(connection: Connection, selection: Selection) -> Plan:
    from jevdb.scoring.score import Plan, plan

    return plan(connection, selection) if selection.run_ids else Plan((), ())


def _checked(
    connection: Connection, selection: Selection, planned: Plan, most: int
) -> tuple[list[Fault], int]:
    """Count some of the runs that are kept again, drawn at random."""
    from jevdb.scoring.kept_check import recount

    if not most or not planned.kept:
        return [], 0
    drawn = random.sample(planned.kept, min(most, len(planned.kept)))
    mine = replace(selection, run_ids=[each.run_id for each in drawn])
    return list(recount(connection, mine, drawn)), len(drawn)
