"""What happens to a run after its ingest: withdrawn, relabelled, hidden, approved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from jevdb.api.base import Base, RunName, texts
from jevdb.scoring.runs import Run

if TYPE_CHECKING:
    from jevdb.base.connection import Connection


class Change(NamedTuple):
    """The run as it was before, and whether there was anything to do."""

    run: Run
    is_new: bool


class Changing(Base):
    """Events of runs; nothing is ever deleted, doing one twice does nothing more.

    A name that several runs have changes none: `UsageError` lists their ids.
    """

    def withdraw(self, run: RunName, reason: str) -> Change:
        """Withdraw a run: reports and exports leave it out, unless asked by its id.

        Parameters
        ----------
        run : str or Run
            Which one.
        reason : str
            Why; kept with the event.

        Returns
        -------
        Change
            The run, and whether it was not withdrawn yet.
        """
        from jevdb.scoring.run_events import withdraw

        return self._changed(
            run, lambda connection, found: withdraw(connection, found, reason)
        )

    def restore(self, run: RunName, reason: str | None = None) -> Change:
        """Take the withdrawal of a run back: reports and exports show it again.

        Parameters
        ----------
        run : str or Run
            Which one; a name means a withdrawn run.
        reason : str, optional
            Why; kept with the event.

        Returns
        -------
        Change
            The run, and whether it was withdrawn.

        Raises
        ------
        UsageError
            Several withdrawn runs have the name, or none.
        """
        from jevdb.scoring.run_events import restore

        def restored(connection: Connection) -> Change:
            found = self._only_run(connection, run, withdrawn=True)
            return Change(found, restore(connection, found, reason))

        return self._write(restored)

    def relabel(
        self, run: RunName, label: str | None, reason: str | None = None
    ) -> Change:
        """Give a run another label, or none; its id stays.

        Parameters
        ----------
        run : str or Run
            Which one.
        label : str or None
            The new label.
        reason : str, optional
            Why; kept with the event.

        Raises
        ------
        ConflictError
            Another run holds the name that it would have.
        """
        from jevdb.scoring.run_events import relabel
        from jevdb.scoring.runs import all_runs

        return self._changed(
            run,
            lambda connection, found: relabel(
                connection, found, label or None, all_runs(connection), reason
            ),
        )

    def set_private(self, run: RunName, reason: str | None = None) -> Change:
        """Keep a run out of exports; reports still show it."""
        from jevdb.scoring.run_events import set_private

        return self._changed(
            run, lambda connection, found: set_private(connection, found, reason)
        )

    def set_public(self, run: RunName, reason: str | None = None) -> Change:
        """Let a private run into exports."""
        from jevdb.scoring.run_events import set_public

        return self._changed(
            run, lambda connection, found: set_public(connection, found, reason)
        )

    def set_baseline(
        self, run: RunName, reason: str | None = None, *, looks: int | None = None
    ) -> Change:
        """Approve a run as the baseline of its benchmark, see `gate`.

        Parameters
        ----------
        run : run
            Which one.
        reason : str, optional
            Why; kept with the event.
        looks : int, optional
            Share the error of its gates out evenly over this many candidates; for ever,
            each with less than the one before, unless given.

        Raises
        ------
        UsageError
            The run is withdrawn or superseded, or a number of looks below 1.
        """
        from jevdb.comparison.gates.baselines import approve
        from jevdb.comparison.gates.looks import require_looks

        require_looks(looks)
        return self._changed(
            run, lambda connection, found: approve(connection, found, reason, looks)
        )

    def clear_baseline(self, benchmark: str, reason: str | None = None) -> Run:
        """Take the baseline of a benchmark back and return the run it was.

        Raises
        ------
        UnknownNameError
            The benchmark has none.
        """
        from jevdb.comparison.gates.baselines import clear
        from jevdb.scoring.names import stored_benchmark

        def cleared(connection: Connection) -> Run:
            return clear(connection, stored_benchmark(connection, benchmark), reason)

        return self._write(cleared)

    def _changed(
        self, name: RunName, change: Callable[[Connection, Run], bool]
    ) -> Change:
        def changed(connection: Connection) -> Change:
            run = self._only_run(connection, name)
            return Change(run, change(connection, run))

        return self._write(changed)

    def _only_run(
        self, connection: Connection, name: RunName, *, withdrawn: bool = False
    ) -> Run:
        """Return the run that is to change: one that is meant beyond doubt."""
        from jevdb.scoring.runs import all_runs, resolve_only

        [text] = texts(name)
        if withdrawn:
            return resolve_only(
                all_runs(connection), text, lambda run: run.is_withdrawn, "withdrawn"
            )
        return resolve_only(all_runs(connection), text)
