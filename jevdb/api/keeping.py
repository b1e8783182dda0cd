"""The file itself: backed up, rewritten, and taught methods and scopes of its users."""

from __future__ import annotations

from collections.abc import Sequence
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

        with self._reader(outward=True) as connection:
            return back_up(connection, Path(bundle), self._store.path)

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

    def add_scope(
        self,
        file: AnyPath,
        *,
        title: str | None = None,
        reference_rule: str | None = None,
        tier_rule: str | None = None,
        tvd_types: Sequence[str] | None = None,
        main_ece: str | None = None,
        item_types: Sequence[str] | None = None,
    ) -> Added:
        """Add a scoring, or a new version of it, from a SQL file called after it.

        The header of the file may state the same as the parameters, a line each:
        ``-- reference_rule = one_hot``. What is given here goes into its place there.

        Parameters
        ----------
        file : path
            The SQL file.
        title : str, optional
            What people call the scoring.
        reference_rule : {"given", "one_hot", "given_or_one_hot"}, optional
            What TVD compares with: the item's reference distribution; its one-hot gold;
            or, unless said otherwise, the reference, and where the gold has none at all
            the one-hot gold of the choice items.
        tier_rule : {"always", "if_all", "never"}, optional
            When tier weights apply to I: every item has to have a tier; if every item
            has one, unless said otherwise; or never.
        tvd_types : sequence of {"choice", "noul"}, optional
            The types that TVD is asked for; both unless said otherwise.
        main_ece : {"by_type", "pooled", "choice", "noul", "score"}, optional
            The ECE that a report shows: one a type, unless said otherwise, or one kind.
        item_types : sequence of str, optional
            The types that items may have; every type unless said otherwise.

        Raises
        ------
        InputError
            The file is no scope, or states a rule wrongly.
        UsageError
            A rule has a word that it does not know.
        ConflictError
            The name belongs to a scoring that comes with jevdb.
        """
        from jevdb.scoring.user_scopes import add_scope

        given = {
            "title": title,
            "reference_rule": reference_rule,
            "tier_rule": tier_rule,
            "tvd_types": None if tvd_types is None else tuple(tvd_types),
            "main_ece": main_ece,
            "item_types": None if item_types is None else tuple(item_types),
        }
        rules = {name: value for name, value in given.items() if value is not None}
        return self._write(lambda connection: add_scope(connection, Path(file), rules))

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
