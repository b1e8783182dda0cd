"""Editions: boards of suites, frozen by name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.api.base import RunNames, Then
from jevdb.api.suites import Suites
from jevdb.base.output import collected
from jevdb.base.tabular import Listing
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.api.sources import AnyPath
    from jevdb.base.connection import Connection
    from jevdb.suites.edition_diff import EditionDiff
    from jevdb.suites.edition_forms import EditionCheck, FrozenBoard
    from jevdb.suites.editions import Edition


class Editions(Suites):
    """Frozen, named boards."""

    def freeze(
        self,
        name: str,
        suite: str,
        *,
        run: RunNames = None,
        entrant: str | Iterable[str] = (),
        drop: str | Iterable[str] = (),
        reported: bool = False,
        mixed: bool = False,
        as_of: Then = None,
        note: str | None = None,
    ) -> tuple[Edition, bool]:
        """Keep the board of a suite under a name, for ever.

        Parameters
        ----------
        name : str
            The edition's name.
        suite : str
            The suite, or ``name@version``.
        run, entrant, drop, reported, mixed, as_of
            As `suite` takes them.
        note : str, optional
            Kept beside it.

        Returns
        -------
        tuple of Edition and bool
            The edition, and whether it was not there already.

        Raises
        ------
        ConflictError
            The name holds another board.
        """
        from jevdb.suites.editions import freeze, require_names

        def frozen(connection: Connection) -> tuple[Edition, bool]:
            request = self._suite_request(
                connection, suite, run, entrant, drop, reported, mixed, as_of
            )
            require_names(request)
            return freeze(connection, name, request, note)

        return self._write(frozen)

    def editions(self) -> Listing:
        """Return the editions, in the order in which they were frozen."""
        with self._reader() as connection:
            connection.execute(query("suites/editions_listed"))
            return Listing(collected(connection))

    def edition(self, name: str) -> FrozenBoard:
        """Return an edition as it was published, and what became of its runs since.

        Raises
        ------
        UnknownNameError
            There is none of that name.
        """
        from jevdb.suites.edition_forms import FrozenBoard
        from jevdb.suites.editions import find_edition, notices

        with self._reader() as connection:
            found = find_edition(connection, name)
            return FrozenBoard(found, notices(connection, found))

    def check_edition(self, name: str) -> EditionCheck:
        """Make an edition again from its recipe; compare it with what was frozen."""
        from jevdb.suites.edition_forms import EditionCheck
        from jevdb.suites.editions import check_edition

        with self._reader() as connection:
            return EditionCheck(name, check_edition(connection, name))

    def diff_editions(self, before: str, after: str) -> EditionDiff:
        """Return what changed between two editions, and which change moved whom."""
        from jevdb.suites.edition_diff import diff_editions

        with self._reader() as connection:
            return diff_editions(connection, before, after)

    def verify_edition(self, file: AnyPath) -> EditionCheck:
        """Hold somebody else's board of a suite to the same runs here.

        Parameters
        ----------
        file : path
            What `jevdb export --suite` or `jevdb editions show` wrote.
        """
        from jevdb.suites.edition_forms import EditionCheck
        from jevdb.suites.edition_verify import verify_file

        with self._reader() as connection:
            path = Path(file)
            return EditionCheck(path.name, verify_file(connection, path))
