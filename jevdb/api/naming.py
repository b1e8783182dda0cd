"""What models and benchmarks are called: renamed, retired, each with a record."""

from __future__ import annotations

from jevdb.api.base import Base
from jevdb.scoring.naming import NameChange, Named


class Naming(Base):
    """Names of now; what was stored under a name stays as it is.

    A past report (`as_of`) has the names of then, and an old name still finds what it
    named. Doing one twice does nothing more.
    """

    def rename_model(
        self, old: str, new: str, reason: str | None = None, *, merge: bool = False
    ) -> NameChange:
        """Call a model otherwise from now on, in every revision.

        Runs that are stored under the old name later are shown under the new one too.

        Parameters
        ----------
        old : str
            Its name, or one that it had before.
        new : str
            Its name from now on. After a merge, renamed to its own old name it has
            that again.
        reason : str, optional
            Why; kept with the event.
        merge : bool
            Let *new* be another model: the runs of both are then one model's.

        Returns
        -------
        NameChange
            What it is called, what it was called, and whether anything was to do.

        Raises
        ------
        UnknownNameError
            No model is or was called *old*.
        UsageError
            It is retired, or *new* cannot be a name.
        ConflictError
            Something else is or was called *new*, or two runs would have one name.

        Examples
        --------
        >>> done = new.ingest_run(
        ...     [{"item_id": "q1", "answer": "yes"}], benchmark="mine", model="gavle"
        ... )
        >>> new.rename_model("gavle", "gavel", "a typo")
        NameChange(name='gavel', was='gavle', is_new=True)
        >>> new.run("gavle").model
        'gavel'
        """
        return self._renamed("model", old, new, reason, merge=merge)

    def rename_benchmark(
        self, old: str, new: str, reason: str | None = None
    ) -> NameChange:
        """Call a benchmark otherwise from now on; its id stays in files and exports.

        Raises
        ------
        UnknownNameError
            No benchmark is or was called *old*.
        UsageError
            It is retired, or *new* cannot be a name.
        ConflictError
            Another benchmark is or was called *new*.
        """
        return self._renamed("benchmark", old, new, reason)

    def retire_model(self, name: str, reason: str | None = None) -> NameChange:
        """Take a model out of lists, reports, boards and exports, with its runs.

        An id still finds a run; `restore_model` takes it back.

        Raises
        ------
        UnknownNameError
            No model is or was called this.
        """
        return self._retired("model", name, reason)

    def restore_model(self, name: str, reason: str | None = None) -> NameChange:
        """Take back that a model is retired."""
        return self._restored("model", name, reason)

    def retire_benchmark(self, name: str, reason: str | None = None) -> NameChange:
        """Take a benchmark out of lists, reports, boards and exports, with its runs.

        Raises
        ------
        UnknownNameError
            No benchmark is or was called this.
        """
        return self._retired("benchmark", name, reason)

    def restore_benchmark(self, name: str, reason: str | None = None) -> NameChange:
        """Take back that a benchmark is retired."""
        return self._restored("benchmark", name, reason)

    def _retired(self, kind: Named, name: str, reason: str | None) -> NameChange:
        from jevdb.scoring.name_events import retire

        return self._write(lambda found: retire(found, kind, name, reason))

    def _restored(self, kind: Named, name: str, reason: str | None) -> NameChange:
        from jevdb.scoring.name_events import restore

        return self._write(lambda found: restore(found, kind, name, reason))

    def _renamed(
        self,
        kind: Named,
        old: str,
        new: str,
        reason: str | None,
        *,
        merge: bool = False,
    ) -> NameChange:
        from jevdb.ingest.names import check_name
        from jevdb.scoring.name_events import rename

        check_name(new, "new")
        return self._write(
            lambda found: rename(found, kind, old, new, reason, merge=merge)
        )
