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
        dataset: str | None = None,
    ) -> Iterator[tuple[Run, Files]]:
        """Yield each run with its files in a format of others.

        The warehouse is open until the last is taken.

        Parameters
        ----------
        form : {'hf', 'every-eval-ever'}
            The format: for a model card on Hugging Face, or the EvalEval datastore.
        run, method, gold_revision, include_private, as_of
            As `export` takes them.
        dataset : str, optional
            For Hugging Face: the dataset's id on the hub, ``ORG/NAME``, where the
            benchmark's source is no dataset of the hub.

        Yields
        ------
        tuple of Run and dict
            The run, and its files' bytes by their path in a folder, the main one first.
        """
        from jevdb.exports.foreign import Foreign
        from jevdb.exports.foreign.files import foreign_files

        with_files = [each.value for each in Foreign if each is not Foreign.MLFLOW]
        require_word("form", form, with_files)
        with self._reader() as connection:
            seq = resolved(connection, as_of_text(as_of))
            runs = self._exported(connection, run, seq, include_private)
            selection = Selection(
                run_ids=[each.run_id for each in runs],
                methods=(method or DEFAULT_METHOD,),
                gold_revision=gold_revision,
                as_of=seq,
            )
            files = foreign_files(connection, runs, selection, Foreign(form), dataset)
            yield from zip(runs, files, strict=True)

    def export_to_mlflow(
        self,
        folder: AnyPath | None = None,
        *,
        run: RunNames = None,
        method: str | None = None,
        gold_revision: int | None = None,
        include_private: bool = False,
        as_of: Then = None,
    ) -> list[tuple[Run, bool]]:
        """Log runs in MLflow: numbers, settings, and the export as artefacts.

        A benchmark is an experiment. A number that is null is not logged; its reason is
        in the artefact. The extra ``mlflow`` brings MLflow.

        Parameters
        ----------
        folder : path, optional
            A folder of its own (`mlflow ui --backend-store-uri
            sqlite:///FOLDER/mlflow.db` shows it); else what ``MLFLOW_TRACKING_URI``
            names.
        run, method, gold_revision, include_private, as_of
            As `export` takes them.

        Returns
        -------
        list of tuple of Run and bool
            Each run, and whether it is new there; what was there stays as it is.

        Raises
        ------
        JevdbError
            MLflow is not installed, refuses something, or does not answer.
        """
        from jevdb.exports.exported import export
        from jevdb.exports.foreign.files import foreign_runs
        from jevdb.exports.foreign.mlflow_runs import log_run, opened
        from jevdb.exports.results_file import Request

        place = opened(None if folder is None else Path(folder))
        by, logged = method or DEFAULT_METHOD, []
        with self._reader() as connection:
            seq = resolved(connection, as_of_text(as_of))
            runs = self._exported(connection, run, seq, include_private)
            selection = Selection(
                run_ids=[each.run_id for each in runs],
                methods=(by,),
                gold_revision=gold_revision,
                as_of=seq,
            )
            for exported in list(foreign_runs(connection, runs, selection)):
                request = Request([exported.run], by, gold_revision, seq)
                done = export(connection, request, with_table=True)
                files = {
                    "evaluation_results.json": done.results.decode(),
                    "RESULTS.md": (done.table or b"").decode(),
                }
                logged.append((exported.run, log_run(place, exported, files)))
        return logged

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
