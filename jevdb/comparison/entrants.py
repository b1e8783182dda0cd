"""Which runs stand on a leaderboard, and which give way to the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.base.text import counted
from jevdb.base.wording import option
from jevdb.comparison.cohorts import Candidates, Rule
from jevdb.scoring.names import OnChoice
from jevdb.scoring.runs import Run, all_runs, asked_for, resolve

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

LEAST_SHARE = 0.9
"""A cohort keeps this share of the items, or the run that lacks most gives way."""


def latest_of_each_model(runs: Iterable[Run]) -> list[Run]:
    """Return the run stored last of each model and revision, in the order given."""
    listed = list(runs)
    by_time = sorted(listed, key=lambda run: run.seq)
    latest = {(run.model, run.revision): run for run in by_time}
    kept = set(latest.values())
    return [run for run in listed if run in kept]


def comparable(
    connection: Connection,
    names: Sequence[str],
    benchmark: str | None = None,
    on_choice: OnChoice | None = None,
) -> list[Run]:
    """Return the runs that *names* mean, all on the benchmark of the first.

    Raises
    ------
    UsageError
        One is on another benchmark.
    """
    [base] = asked_for(connection, names[:1], benchmark, on_choice)
    found = [base]
    for name in names[1:]:
        try:
            found += asked_for(connection, [name], base.benchmark_id, on_choice)
        except UnknownNameError:
            other = resolve(all_runs(connection), name)
            raise UsageError(
                f"{name} answered {other.benchmark}, {base.name} "
                f"{base.benchmark}: runs compare on one benchmark; choose it with "
                f"{option('benchmark')}"
            ) from None
    return found


def entrants(
    connection: Connection,
    names: Sequence[str],
    benchmark: str,
    on_choice: OnChoice | None = None,
    *,
    include_private: bool = False,
) -> list[Run]:
    """Return the runs named, or the latest public one of each model and revision."""
    runs = asked_for(connection, names, benchmark, on_choice)
    if names:
        return runs
    if not include_private:
        runs = public_ones(runs, "ranks", on_choice)
    return latest_of_each_model(runs)


def unshown(
    connection: Connection, runs: Sequence[Run], *, include_private: bool = False
) -> list[Run]:
    """Return the other current runs of these runs' models on their benchmark."""
    shown = {run.run_id for run in runs}
    models = {(run.benchmark_id, run.model) for run in runs}
    return [
        run
        for run in all_runs(connection)
        if (run.benchmark_id, run.model) in models
        and run.is_current
        and run.run_id not in shown
        and (include_private or not run.is_private)
    ]


def public_ones(
    runs: Sequence[Run], does: str, on_choice: OnChoice | None = None
) -> list[Run]:
    """Return the public runs; say of others that asking for them *does* them too."""
    public = [run for run in runs if not run.is_private]
    if len(public) < len(runs) and on_choice:
        left_out = counted(len(runs) - len(public), "private run")
        private = option("include_private", value=True)
        on_choice(f"{left_out} left out; {private} {does} them")
    return public


def giving_way(
    runs: Sequence[Run],
    candidates: Candidates,
    unsupported: Mapping[str, Sequence[str]],
    least_share: float = LEAST_SHARE,
) -> dict[str, str]:
    """Return the runs that give way, and why, in the order in which they do.

    First those that declared a type unsupported which others support: the cohort would
    lose the type. Then, while the cohort has less than the least share of the items,
    the run that lacks most. `own` has no cohort, there a run that itself lacks too much
    gives way; with `strict` none does, because nothing may be left out. A least share
    of 0 keeps every run.
    """
    if candidates.asked.rule is Rule.STRICT or least_share == 0:
        return {}
    notes = _partial(runs, candidates, unsupported)
    staying = {run.run_id for run in runs} - notes.keys()
    least = least_share * len(candidates.types)
    by_lack = sorted(
        staying, key=lambda run_id: (-len(candidates.faults[run_id]), run_id)
    )
    for run_id in by_lack:
        alone = [run_id] if candidates.asked.rule is Rule.OWN else staying
        if len(candidates.fine(alone)) >= least or len(staying) == 1:
            break
        staying.remove(run_id)
        notes[run_id] = candidates.lacks(run_id)
    return notes


def _partial(
    runs: Sequence[Run],
    candidates: Candidates,
    unsupported: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    declared = [set(unsupported[run.run_id]) for run in runs]
    by_none = declared[0].intersection(*declared[1:])
    supported = set(candidates.types.values()) - by_none
    return {
        run.run_id: f"does not support {', '.join(sorted(types & supported))}"
        for run, types in zip(runs, declared, strict=True)
        if types & supported
    }
