"""The warehouse looked after: pages made of it, a diagnosis, a lake kept in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.api.base import Base
from jevdb.api.sources import AnyPath
from jevdb.base.errors import UsageError
from jevdb.base.tabular import Listing, Records
from jevdb.base.wording import option

if TYPE_CHECKING:
    from jevdb.diagnosing.diagnosed import Diagnosed
    from jevdb.lake.maintaining import Compacted
    from jevdb.lake.pulling import Pulled
    from jevdb.lake.target import Target
    from jevdb.site.building import Built
    from jevdb.warehouse.checks import Fault


class Upkeep(Base):
    """Pages, the doctor, and what a lake needs now and then."""

    def site(
        self,
        folder: AnyPath,
        *,
        include_private: bool = False,
        explore: bool = False,
        engine: AnyPath | None = None,
    ) -> Built:
        """Write the warehouse as pages: boards, runs, comparisons, numbers explained.

        The same warehouse gives the same bytes. A site that is there is replaced at
        once when the new one is whole.

        Parameters
        ----------
        folder : path
            Where the site goes.
        include_private : bool
            Private runs too.
        explore : bool
            Also the page Explore: the warehouse in the reader's browser.
        engine : path, optional
            Where Explore's engine is; fetched through npm, once, unless given.

        Returns
        -------
        Built
            How many files were written, of how many runs.

        Raises
        ------
        UsageError
            *engine* without *explore*, or private runs in what *explore* publishes.
        ConflictError
            There is something at *folder* that is no site of ours.
        """
        from jevdb.site.building import build_site
        from jevdb.site.explore.engine import engine_folder

        if engine is not None and not explore:
            engine_words = option("engine")
            raise UsageError(f"{engine_words} is for {option('explore', value=True)}")
        if explore and include_private:
            raise UsageError(
                f"{option('explore', value=True)} publishes a copy for everybody; "
                f"leave out {option('include_private', value=True)}"
            )
        given = None if engine is None else Path(engine)
        found = engine_folder(given, self._notify) if explore else None
        with self._reader() as connection:
            return build_site(
                connection, Path(folder), include_private, self._notify, found
            )

    def doctor(self, *, quick: bool = False) -> Diagnosed:
        """Look at the program, the file and who holds it; say what is wrong.

        Works on a warehouse in any state: of a file that `jevdb.open` refuses, ask
        ``jevdb.Warehouse(path).doctor()``. It waits for nobody and changes nothing. Of
        a lake it sees this machine's mirror.

        Parameters
        ----------
        quick : bool
            Leave out the checks, which read it all.

        Returns
        -------
        Diagnosed
            The findings, a row each; none if all is well.

        Examples
        --------
        >>> warehouse.doctor(quick=True).exit_code
        0
        """
        from jevdb.diagnosing.diagnosed import Diagnosed
        from jevdb.diagnosing.doctor import diagnose

        self._require_open()
        return Diagnosed(diagnose(self._store.path, checking=not quick))

    def lake_status(self) -> Listing:
        """Return what the lake holds and where, who has its lock, the mirror's state.

        Raises
        ------
        UsageError
            The warehouse is a file; so do the other methods for lakes.
        """
        from jevdb.base.output import Rows
        from jevdb.lake.maintaining import Fact, status

        return Listing(Rows(Fact._fields, status(self._lake())))

    def lake_mirror(self, *, rebuild: bool = False) -> Pulled:
        """Bring this machine's copy of the lake up to date, or make it anew.

        Returns
        -------
        Pulled
            Its ``path``, the ingest it is at, how many were new.
        """
        from jevdb.lake import pull

        store = self._store
        return pull(
            self._lake(),
            lock_timeout=store.lock_timeout,
            on_wait=store.notify,
            rebuild=rebuild,
        )

    def lake_compact(self) -> Compacted:
        """Merge the lake's many small files into few, under its lock.

        Returns
        -------
        Compacted
            Files before and after, and old ones that were removed.
        """
        from jevdb.lake.maintaining import compact

        lake, store = self._lake(), self._store
        self._require_writable()
        return compact(lake, lock_timeout=store.lock_timeout, on_wait=store.notify)

    def lake_orphans(self, *, delete: bool = False) -> list[str]:
        """Return files older than a day that nothing refers to; delete them if asked.

        A killed command leaves such files.
        """
        from jevdb.lake.maintaining import orphans

        lake = self._lake()
        if delete:
            self._require_writable()
        return orphans(lake, delete=delete)

    def lake_verify(self) -> Records[Fault]:
        """Read every byte of the lake and recompute every digest.

        Returns
        -------
        Records of Fault
            What is wrong; nothing if every file is whole.
        """
        from jevdb.lake.maintaining import verify
        from jevdb.warehouse.checks import Fault

        return Records(Fault._fields, verify(self._lake()))

    def _lake(self) -> Target:
        self._require_open()
        if not self._store.is_lake:
            raise UsageError(
                f"{self._store.name}: a file; name a lake with "
                f"{option('db', 'lake:NAME')}"
            )
        return self._store.lake
