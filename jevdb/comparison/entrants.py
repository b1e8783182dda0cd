"""Which runs stand on a leaderboard, and which give way to the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from jevdb.comparison.cohorts import Candidates, Rule

if TYPE_CHECKING:
    from jevdb.runs import Run

LEAST_SHARE = 0.9
"""A cohort keeps this share of the items, or the run that lacks most gives way."""


def latest_of_each_model(runs: Iterable[Run]) -> list[Run]:
    """Return the run stored last of each model and revision, in the order given."""
    listed = list(runs)
    by_time = sorted(listed, key=lambda run: run.seq)
    latest = {(run.model, run.revision): run for run in by_time}
    kept = set(latest.values())
    return [run for run in listed if run in kept]


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
