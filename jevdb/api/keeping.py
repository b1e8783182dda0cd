"""The file itself: backed up, rewritten, and taught methods and scopes of its users."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.api.base import Base
from jevdb.api.sources import AnyPath
from jevdb.base.errors import UsageError

if TYPE_CHECKING:
    from jevdb.bundles.bundle import Manifest
    from jevdb.bundles.compacting import Compacted
    from jevdb.scoring.methods import Method
    from jevdb.scoring.user_scopes import Added


class Keeping(Base):
    """Bundles, compacting, and what users add."""

    def backup(self, bundle: AnyPath) -> Manifest:
        """Write the warehouse as a bundle: a Parquet file a table, and a manifest.

        The same rows give the same bytes.

        Parameters
        ----------
        bundle : path
            A new folder, or a tar file if it ends in ``.tar``.

        Returns
        -------
        Manifest
            The tables, with their rows and digests.

        Raises
        ------
        ConflictError
            There is something of that name.
        """
        from jevdb.bundles.bundling import back_up

        with self._reader() as connection:
            return back_up(connection, Path(bundle))

    def compact(self) -> Compacted:
        """Rewrite the file without the holes that refused and replaced rows left.

        Returns
        -------
        Compacted
            Its size before and after, in bytes.
        """
        from jevdb.bundles.compacting import compact

        self._require_writable()
        store = self._store
        if store.is_lake:
            raise UsageError("a lake is no file: see `jevdb lake compact`")
        return compact(
            store.path, lock_timeout=store.lock_timeout, on_wait=store.notify
        )

    def add_method(self, file: AnyPath) -> tuple[Method, bool]:
        """Add a scoring method from a TOML file; return it and whether it is new.

        Raises
        ------
        ConflictError
            A stored method of that name says something else.
        """
        from jevdb.scoring.methods import add_method

        return self._write(lambda connection: add_method(connection, Path(file)))

    def add_scope(self, file: AnyPath) -> Added:
        """Add a scoring, or a new version of it, from a SQL file called after it."""
        from jevdb.scoring.user_scopes import add_scope

        return self._write(lambda connection: add_scope(connection, Path(file)))

    def scope_sql(self, scoring: str, version: int | None = None) -> str:
        """Return the SQL of a scoring, the newest version unless one is given."""
        from jevdb.warehouse.scope_views import stored_sql

        with self._reader() as connection:
            return stored_sql(connection, scoring, version)


def restore(bundle: str | PathLike[str], path: str | PathLike[str]) -> Manifest:
    """Make a new warehouse at *path* of a bundle, every byte held to its digest.

    Raises
    ------
    ConflictError
        There is a file at *path*.
    """
    from jevdb.bundles.bundling import restore_from

    return restore_from(Path(bundle), Path(path))
