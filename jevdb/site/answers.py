"""Every answer to a benchmark, side by side: what a page of rows shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

PROPERTIES = ("type", "modality", "tier", "family", "domain")


class Item(NamedTuple):
    """A question with its gold, and how many runs got it right."""

    item_id: str
    type: str
    modality: str
    tier: str | None
    family: str | None
    domain: str | None
    gold: str
    option_count: int
    has_reference: bool
    n_runs: int | None
    n_ok: int | None
    n_right: int | None
    share_right: float | None
    mean_gold_probability: float | None
    options: list[str]
    reference: list[float] | None


class Answer(NamedTuple):
    """An answer, and what it adds to each metric; what does not apply is null.

    The bins are those of the method that is shown first.
    """

    item_id: str
    stratum: str
    status: str
    reason: str | None
    answer: str | None
    confidence: float | None
    yes_probability: float | None
    gold_probability: float | None
    rating: float | None
    is_right: bool
    squared_error: float | None
    total_variation: float | None
    ranked_probability: float | None
    rating_error: float | None
    f1: float | None
    top_bin: int | None = None
    yes_bin: int | None = None
    probabilities: list[float] | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of every run of a selection, in the order of the items.

    ``places`` says, for each stratum, in which report rows and subsets it stands.
    """

    items: Mapping[str, Item]
    by_run: Mapping[str, Sequence[Answer]]
    places: Mapping[str, frozenset[tuple[str, str]]]
    bins: int

    @property
    def scoped(self) -> frozenset[str]:
        """The items that stand in any report row."""
        of_a_run: Sequence[Answer] = next(iter(self.by_run.values()), ())
        return frozenset(answer.item_id for answer in of_a_run)

    @property
    def properties(self) -> list[str]:
        """The properties in which the items differ."""
        return [
            name
            for name in PROPERTIES
            if len({getattr(item, name) for item in self.items.values()}) > 1
        ]


def read_answers(
    connection: Connection, benchmark_id: str, method: str, bins: int = 10
) -> Answers:
    """Return the answers of the selection, as the method reads them, in *bins*."""
    items = connection.execute(
        query("site/items"), {"benchmark": benchmark_id, "method": method}
    ).fetchall()
    by_run: dict[str, list[Answer]] = {}
    rows = connection.execute(
        query("site/rows"), {"bins": bins, "method": method}
    ).fetchall()
    for run_id, *answer in rows:
        by_run.setdefault(run_id, []).append(Answer(*answer))
    places: dict[str, set[tuple[str, str]]] = {}
    for stratum, report_row, subset in connection.execute(
        "select item_id, report_row, subset from scopes "
        "where item_id in (select stratum from strata) and benchmark_id = $benchmark",
        {"benchmark": benchmark_id},
    ).fetchall():
        places.setdefault(stratum, set()).add((report_row, subset))
    return Answers(
        items={row[0]: Item(*row) for row in items},
        by_run=by_run,
        places={stratum: frozenset(found) for stratum, found in places.items()},
        bins=bins,
    )
