"""Which items runs are compared on: the cohorts of SCORING.md §6.

`shared`: every run has an ok or invalid row. `shared-probability`: and a valid
distribution, or it is invalid; no multi-select. An invalid row is the model's fault and
counts wrong. `strict`: as shared, but nothing may be left out. `own`: every item of the
benchmark, so that what a run lacks counts as it does in its own report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.errors import JevdbError, UsageError
from jevdb.base.text import counted, short_id
from jevdb.base.wording import option
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.runs import Run


class Rule(StrEnum):
    """How a cohort is chosen."""

    SHARED = "shared"
    SHARED_PROBABILITY = "shared-probability"
    STRICT = "strict"
    OWN = "own"


class Modality(StrEnum):
    """What an item is made of."""

    TEXT = "text"
    IMAGE = "image"
    TEXT_RENDERED = "text_rendered"


FAULTS = {
    "missing": "without a row",
    "unsupported": "unsupported",
    "error": "failed",
    "no_probabilities": "without a distribution",
    "added_later": "added to the benchmark after the run",
}
"""Why an item cannot be shared, in words, in the order they are named."""


INVALID = "invalid"
"""What no run is excused for: the row stays, and counts wrong."""


class Asked(NamedTuple):
    """What decides a cohort besides its runs."""

    rule: Rule
    modality: Modality | None = None

    @property
    def words(self) -> str:
        """The cohort in words: ``shared-probability, text``."""
        return ", ".join([self.rule, *([self.modality] if self.modality else [])])


@dataclass(frozen=True, slots=True)
class Candidates:
    """The items a cohort may hold, with their types, and what each run lacks of them.

    ``faults`` is by run and item; an item that is not there is fine. ``invalid`` holds
    the items that a run answered invalidly: they stay, and count wrong.
    """

    asked: Asked
    types: Mapping[str, str]
    faults: Mapping[str, Mapping[str, str]]
    invalid: Mapping[str, frozenset[str]]

    def kept(self, run_ids: Iterable[str]) -> list[str]:
        """Return the items of the cohort of some runs, by item_id."""
        return list(self.types) if self.asked.rule is Rule.OWN else self.fine(run_ids)

    def fine(self, run_ids: Iterable[str]) -> list[str]:
        """Return the items for which every one of some runs has a usable row."""
        lacking: set[str] = set()
        for run_id in run_ids:
            lacking.update(self.faults[run_id])
        return [item_id for item_id in self.types if item_id not in lacking]

    def lacks(self, run_id: str) -> str:
        """Return what a run lacks, in words: ``3 failed, 1 without a row``."""
        counts = Counter(self.faults[run_id].values())
        return ", ".join(
            f"{counts[fault]} {words}"
            for fault, words in FAULTS.items()
            if counts[fault]
        )


def read_candidates(
    connection: Connection, benchmark_id: str, runs: Sequence[Run], asked: Asked
) -> Candidates:
    """Return what *runs* could be compared on.

    Raises
    ------
    UsageError
        The benchmark has no such items; or it was another benchmark for one of the runs
        (items were added between them) and the rule would compare them all the same.
    """
    parameters = {
        "benchmark": benchmark_id,
        "modality": asked.modality and asked.modality.value,
        "is_stated": asked.rule is Rule.SHARED_PROBABILITY,
    }
    items = connection.execute(query("comparison/cohort_items"), parameters).fetchall()
    if not items:
        kind = f"{asked.modality} " if asked.modality else ""
        raise UsageError(f"{benchmark_id} has no {kind}items")
    faults: dict[str, dict[str, str]] = {run.run_id: {} for run in runs}
    invalid: dict[str, set[str]] = {run.run_id: set() for run in runs}
    rows = connection.execute(
        query("comparison/cohort_faults"), {**parameters, "runs": list(faults)}
    ).fetchall()
    for run_id, item_id, fault in rows:
        if fault == INVALID:
            invalid[run_id].add(item_id)
        else:
            faults[run_id][item_id] = fault
    answered = {run_id: frozenset(found) for run_id, found in invalid.items()}
    candidates = Candidates(asked, dict(items), faults, answered)
    if asked.rule in (Rule.OWN, Rule.STRICT):
        _require_one_benchmark(candidates, runs)
    return candidates


def _require_one_benchmark(candidates: Candidates, runs: Sequence[Run]) -> None:
    """Refuse runs of which some answered the benchmark before items were added."""
    late = {
        run: frozenset(
            item_id
            for item_id, fault in candidates.faults[run.run_id].items()
            if fault == "added_later"
        )
        for run in runs
    }
    if len(set(late.values())) > 1:
        run = max(runs, key=lambda run: len(late[run]))
        raise UsageError(
            f"the runs answered different items: {counted(len(late[run]), 'item')} "
            f"came to {run.benchmark_id} after {run.name} ({short_id(run.run_id)}); "
            f"compare the others with {option('cohort', 'shared')}"
        )


def require_cohort(candidates: Candidates, runs: Sequence[Run]) -> list[str]:
    """Return the items *runs* are compared on.

    Raises
    ------
    JevdbError
        There is none; or the rule is strict and one would be left out.
    """
    kept = candidates.kept(run.run_id for run in runs)
    if kept and (
        candidates.asked.rule is not Rule.STRICT or len(kept) == len(candidates.types)
    ):
        return kept
    lacking = "; ".join(dropped_words(candidates, runs))
    if kept:
        raise JevdbError(
            f"not every run has a usable row for every item: {lacking}; "
            f"{option('cohort', 'shared')} compares the other {len(kept)}"
        )
    raise JevdbError(f"the runs share no item: {lacking}")


def dropped_words(candidates: Candidates, runs: Sequence[Run]) -> list[str]:
    """Return, for each run that makes a shared cohort smaller, what it lacks."""
    if candidates.asked.rule is Rule.OWN:
        return []
    return [
        f"{run.name} ({short_id(run.run_id)}): {candidates.lacks(run.run_id)}"
        for run in runs
        if candidates.faults[run.run_id]
    ]


def invalid_words(candidates: Candidates, runs: Sequence[Run]) -> list[str]:
    """Return, for each run with invalid rows in the cohort, how many count wrong."""
    kept = set(candidates.kept(run.run_id for run in runs))
    counts = {run: len(candidates.invalid[run.run_id] & kept) for run in runs}
    return [
        f"{run.name} ({short_id(run.run_id)}): {counted(n, 'invalid row')}"
        for run, n in counts.items()
        if n
    ]
