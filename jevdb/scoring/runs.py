"""Which run is meant: by a prefix of its id, or by model, revision and label.

    6fc38a10                 any prefix of a run id, of 8 characters or more
    de-1                     the current run of just this name; where there is none, the
                             latest current run of the model
    de-1@1b2c                ... of that revision
    de-1@1b2c#greedy         ... with that label (without a revision: de-1#greedy)

Latest is the run stored last. A run that is withdrawn or superseded has only its id,
and a name means no other run beside the one whose whole name it is. What changes
something takes no name that several runs have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.output import in_utc
from jevdb.base.stored_values import require_time
from jevdb.base.text import counted, short_id
from jevdb.scoring.names import OnChoice, require_benchmark
from jevdb.scoring.naming import now_called
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

ID_LENGTH = 64
ID_PREFIX = re.compile(rf"[0-9a-f]{{8,{ID_LENGTH}}}")


class Run(NamedTuple):
    """A run as it stands: its name, what its events made of it, its rows by status.

    ``former`` are names that its model had before; ``benchmark_name`` is what its
    benchmark was renamed to, which keeps its id.
    """

    run_id: str
    benchmark_id: str
    model: str
    revision: str | None
    label: str | None
    started_at: datetime | None
    ingested_at: datetime
    is_private: bool
    is_withdrawn: bool
    is_superseded: bool
    n_rows: int
    n_ok: int
    n_invalid: int
    n_unsupported: int
    n_error: int
    n_rejected: int
    seq: int
    n_repeats: int = 1
    is_retired: bool = False
    benchmark_name: str | None = None
    former: Sequence[str] = ()

    @property
    def is_current(self) -> bool:
        """Whether the run stands under its name: not withdrawn, superseded, retired."""
        return not (self.is_withdrawn or self.is_superseded or self.is_retired)

    @property
    def name(self) -> str:
        """``model``, ``model@revision`` or ``model@revision#label``."""
        revision = "" if self.revision is None else f"@{self.revision}"
        label = "" if self.label is None else f"#{self.label}"
        return f"{self.model}{revision}{label}"

    @property
    def benchmark(self) -> str:
        """What people call the benchmark: its id, unless it was renamed."""
        return self.benchmark_name or self.benchmark_id

    @property
    def identity(self) -> tuple[str, str, str | None, str | None]:
        """What only one run can have that is not superseded."""
        return self.benchmark_id, self.model, self.revision, self.label

    @property
    def names(self) -> set[str]:
        """Everything the run can be called."""
        label = "" if self.label is None else f"#{self.label}"
        bare = self._replace(label=None).name
        return {self.model, bare, self.name, self.model + label}

    @property
    def former_names(self) -> set[str]:
        """Everything the run could be called while its model had another name."""
        return {each for old in self.former for each in _called(self, old)}

    @property
    def marks(self) -> list[str]:
        """What is out of the ordinary about the run, in words."""
        flags = (
            (f"{counted(self.n_rejected, 'line')} rejected", self.n_rejected > 0),
            ("private", self.is_private),
            ("superseded", self.is_superseded),
            ("withdrawn", self.is_withdrawn),
            ("retired", self.is_retired),
        )
        return [word for word, holds in flags if holds]


def all_runs(connection: Connection) -> list[Run]:
    """Return every run, by benchmark, model, revision, label and id, null first."""
    rows = connection.execute(query("scoring/run_names")).fetchall()
    runs = [
        Run(*map(in_utc, row))._replace(former=tuple(row[-1] or ())) for row in rows
    ]
    for run in runs:
        require_time(run.started_at, f"runs.started_at of {run.run_id}")
        require_time(run.ingested_at, f"ingests.ingested_at of {run.run_id}")
    return runs


def resolve(runs: Sequence[Run], name: str) -> Run:
    """Return the one of *runs* that *name* means; of several current ones the latest.

    Raises
    ------
    UnknownNameError
        No current run has this name and no run this id.
    UsageError
        The id prefix fits several runs.
    """
    return max(_meant(runs, name, _is_current), key=lambda run: run.seq)


def resolve_only(
    runs: Sequence[Run],
    name: str,
    qualifies: Callable[[Run], bool] | None = None,
    state: str = "current",
) -> Run:
    """Return the one run that *name* means, to change something about it.

    Only runs that *qualify*, those of a *state*, go by their names; unless said
    otherwise it is the current ones.

    Raises
    ------
    UnknownNameError
        No run that qualifies has this name and no run this id.
    UsageError
        Several runs are called this, so that no one is meant for certain.
    """
    meant = _meant(runs, name, qualifies or _is_current, state)
    if ID_PREFIX.fullmatch(name) and len(name) < ID_LENGTH:
        meant += [r for r in runs if r.run_id.startswith(name) and r not in meant]
    if len(meant) > 1:
        raise UsageError(
            f"{name!r} is the name of {len(meant)} runs; name the one by its id: "
            f"{_listed(meant)}"
        )
    return meant[0]


def _called(run: Run, model: str) -> set[str]:
    return run._replace(model=model).names


def _is_current(run: Run) -> bool:
    return run.is_current


def _meant(
    runs: Sequence[Run],
    name: str,
    qualifies: Callable[[Run], bool],
    state: str = "current",
) -> list[Run]:
    """Return the runs that are called *name*: never a longer name beside a whole one.

    A whole id comes before a whole name, then a prefix of an id, then a part of a name.
    """
    whole = [run for run in runs if run.run_id == name]
    if whole:
        return whole
    named = [run for run in runs if run.name == name]
    if not named and (by_id := _by_prefix(runs, name)):
        return by_id
    named = named or [run for run in runs if name in run.names]
    named = named or [run for run in runs if name in run.former_names]
    fitting = [run for run in named if qualifies(run)]
    if fitting:
        return fitting
    if named:
        raise UsageError(
            f"{name!r} has no {state} run; name one by its id: {_listed(named)}"
        )
    raise UnknownNameError("run", name, {known for run in runs for known in run.names})


def _by_prefix(runs: Sequence[Run], name: str) -> list[Run]:
    if not ID_PREFIX.fullmatch(name):
        return []
    matching = [run for run in runs if run.run_id.startswith(name)]
    if len(matching) > 1:
        listed = ", ".join(f"{run.run_id} ({run.name})" for run in matching[:5])
        raise UsageError(f"run {name!r} fits {len(matching)} runs: {listed}")
    return matching


def _listed(runs: Sequence[Run]) -> str:
    """Return runs by their ids, with what tells them apart."""
    told = ((run, [run.name, run.benchmark, *run.marks]) for run in runs)
    return ", ".join(f"{short_id(run.run_id)} ({', '.join(t)})" for run, t in told)


def asked_for(
    connection: Connection,
    names: Sequence[str],
    benchmark_id: str | None = None,
    on_choice: OnChoice | None = None,
) -> list[Run]:
    """Return the runs that *names* mean, or every current run, in the order of reports.

    *on_choice* is told when a name fits several current runs and the latest was taken.
    """
    if benchmark_id is not None:
        benchmark_id = require_benchmark(connection, benchmark_id)
    runs = [
        run for run in all_runs(connection) if benchmark_id in (None, run.benchmark_id)
    ]
    if not names:
        return [run for run in runs if run.is_current]
    named = set()
    for name in names:
        meant = _meant(runs, name, _is_current)
        run = max(meant, key=lambda each: each.seq)
        named.add(run)
        if on_choice and name in run.former_names - run.names:
            [old] = [each for each in run.former if name in _called(run, each)]
            on_choice(now_called("model", old, run.model))
        if len(meant) > 1 and on_choice:
            on_choice(
                f"{name}: the latest of {len(meant)} runs, {run.name} on "
                f"{run.benchmark} ({short_id(run.run_id)})"
            )
    return [run for run in runs if run in named]
