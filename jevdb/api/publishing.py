"""What leaves a warehouse: evaluation_results.json, RESULTS.md, formats of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jevdb.api.base import Base, RunNames, Then, as_of_text, texts
from jevdb.api.sources import AnyPath
from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError, require_word
from jevdb.base.text import short_id
from jevdb.base.wording import option
from jevdb.scoring.as_of import resolved, then
from jevdb.scoring.runs import Run, all_runs
from jevdb.scoring.selection import Selection

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.exports.exported import Export
    from jevdb.exports.foreign.files import Files


class Publishing(Base):
    """Exports, and what was exported before."""

    def export(
        self,
        out: AnyPath | None = None,
        *,
        run: RunNames = None,
        method: str | None = None,
        gold_revision: int | None = None,
        include_private: bool = False,
        as_of: Then = None,
        snapshot: str | None = None,
        markdown: bool = False,
    ) -> Export:
        """Return ``evaluation_results.json``: every number, same bytes always.

        Parameters
        ----------
        out : path, optional
            Written there too, whole or not at all.
        run : run, or several, optional
            Every public current run unless given.
        method : str, optional
            Scoring method; metrics-md unless given.
        gold_revision : int, optional
            Score by this revision, not the newest.
        include_private : bool
            Private runs too.
        as_of : int, str or date, optional
            What the warehouse held then; none that is private today.
        snapshot : str, optional
            Keep the bytes under this name; needs a warehouse open for storing.
        markdown : bool
            Make the results table too.

        Returns
        -------
        Export
            The ``results`` as bytes, the ``table`` if asked for, the runs in it.

        Raises
        ------
        UsageError
            A private run is named, without *include_private*.
        ConflictError
            The snapshot holds other bytes.

        Examples
        --------
        >>> document = warehouse.export(run="de-1").to_json()
        >>> document["runs"][0]["rows"]["public_231"]["metrics"]["accuracy"]["all"]["n"]
        231
        """
        from jevdb.exports.exported import export
        from jevdb.exports.results_file import Request

        def exported(connection: Connection) -> Export:
            seq = resolved(connection, as_of_text(as_of))
            runs = self._exported(connection, run, seq, include_private)
            by = method or DEFAULT_METHOD
            request = Request(runs, by, gold_revision, seq)
            return export(connection, request, with_table=markdown, snapshot=snapshot)

        if snapshot:
            done = self._write(exported)
        else:
            with self._reader() as connection:
                done = exported(connection)
        if out is not None:
            done.write(out)
        return done

    def export_foreign(
        self,
        form: str,
        *,
        run: RunNames = None,
        method: str | None = None,
        gold_revision: int | None = None,
        include_private: bool = False,
        as_of: Then = None,
    ) -> Iterator[tuple[Run, Files]]:
        """Yield each run with its files in a format of others.

        The warehouse is open until the last is taken.

        Parameters
        ----------
        form : {'hf', 'every-eval-ever'}
            The format: for a model card on Hugging Face, or the EvalEval datastore.
        run, method, gold_revision, include_private, as_of
            As `export` takes them.

        Yields
        ------
        tuple of Run and dict
            The run, and its files' bytes by their path in a folder, the main one first.
        """
        from jevdb.exports.foreign import Foreign
        from jevdb.exports.foreign.files import foreign_files

        require_word("form", form, [each.value for each in Foreign])
        with self._reader() as connection:
            seq = resolved(connection, as_of_text(as_of))
            runs = self._exported(connection, run, seq, include_private)
            selection = Selection(
                run_ids=[each.run_id for each in runs],
                methods=(method or DEFAULT_METHOD,),
                gold_revision=gold_revision,
                as_of=seq,
            )
            files = foreign_files(connection, runs, selection, Foreign(form))
            yield from zip(runs, files, strict=True)

    def exported_runs(
        self,
        run: RunNames = None,
        *,
        include_private: bool = False,
        as_of: Then = None,
    ) -> list[Run]:
        """Return the runs that an export would hold."""
        with self._reader() as connection:
            seq = resolved(connection, as_of_text(as_of))
            return self._exported(connection, run, seq, include_private)

    def check_export(self, file: AnyPath, *, gold_revision: int | None = None) -> int:
        """Recompute the runs of an export by its method; return how many there are.

        Raises
        ------
        CheckError
            The bytes differ; the message has the first differences.
        """
        from jevdb.exports.check import check_file

        with self._reader() as connection:
            return check_file(connection, Path(file), gold_revision)

    def snapshot(self, name: str) -> bytes:
        """Return an export that was kept, byte for byte.

        Raises
        ------
        UnknownNameError
            There is none of that name.
        """
        from jevdb.exports.snapshots import kept

        with self._reader() as connection:
            return kept(connection, name)

    def _exported(
        self,
        connection: Connection,
        names: RunNames,
        seq: int | None,
        include_private: bool,
    ) -> list[Run]:
        """Return the runs of an export; one that is private today is in none."""
        with then(connection, seq):
            runs = self._runs(connection, names)
        private_now = {run.run_id for run in all_runs(connection) if run.is_private}
        private = [run for run in runs if run.is_private or run.run_id in private_now]
        if include_private or not private:
            return runs
        if texts(names):
            listed = ", ".join(
                f"{each.name} ({short_id(each.run_id)})" for each in private
            )
            raise UsageError(
                f"private: {listed}; add {option('include_private', value=True)} to "
                "export anyway"
            )
        return [run for run in runs if run not in private]
