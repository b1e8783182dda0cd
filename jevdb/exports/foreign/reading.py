"""What a foreign export says of a run: its model, its benchmark, its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import Number
from jevdb.base.output import to_json
from jevdb.base.stored_values import read_object
from jevdb.scoring.numbers import read_numbers
from jevdb.scoring.runs import Run
from jevdb.scoring.selection import Selection, narrowed, selected
from jevdb.warehouse.sqlfiles import query

if TYPE_CHECKING:
    from jevdb.base.connection import Connection

UNKNOWN = "unknown"
HUB = "https://huggingface.co/datasets/"


class Marks(NamedTuple):
    """What is missing of a report row, and how often the run asked each item."""

    partial_types: list[str] | None
    is_incomplete: bool
    n_repeats: int


class Stated(NamedTuple):
    """One number of a run; those that are null are left out of foreign exports."""

    report_row: str
    number: Number
    value: float
    n: int
    n_scope: int
    marks: Marks

    @property
    def name(self) -> str:
        """``public_231.ece.choice``; without the kind where it is all."""
        metric, kind = self.number
        parts = [self.report_row, metric]
        return ".".join(parts if kind == "all" else [*parts, kind])


class Facts(NamedTuple):
    """What is known of a run beside its numbers."""

    benchmark_source: str | None
    benchmark_version: str | None
    gold_revision: int
    n_items: int
    items_sha256: str
    rows_sha256: str
    open_weights: bool | None
    parameters: int | None
    provider: str | None
    resolved_name: str | None
    started_at: datetime | None
    ingested_at: datetime
    settings: Mapping[str, object]


class ExportedRun(NamedTuple):
    """A run, its facts, its numbers by one method."""

    run: Run
    method: str
    facts: Facts
    values: list[Stated]

    @property
    def settings(self) -> dict[str, str]:
        """What the run was set to."""
        return {
            key: value if isinstance(value, str) else to_json(value)
            for key, value in self.facts.settings.items()
        }

    @property
    def developer(self) -> str:
        """Who the model's name says made it: what stands before the first slash."""
        before, slash, _ = self.run.model.partition("/")
        return before if slash and before else UNKNOWN

    @property
    def model(self) -> str:
        """The model's name without its developer."""
        return self.run.model.partition("/")[2] or self.run.model

    @property
    def model_id(self) -> str:
        """``developer/model``."""
        return f"{self.developer}/{self.model}"

    @property
    def dataset(self) -> str | None:
        """The data set's id on the Hugging Face Hub, if the warehouse knows one."""
        if stated := self.settings.get("dataset_repo"):
            return stated
        source = self.facts.benchmark_source or ""
        return source.removeprefix(HUB).strip("/") if source.startswith(HUB) else None


class Sample(NamedTuple):
    """A run's answer to one item; without a prediction its status is missing."""

    item_id: str
    repeat: int | None
    """Which answer to the item it is, from 0; None where a run asked once."""
    type: str
    modality: str
    tier: str | None
    family: str | None
    domain: str | None
    group: str | None
    options: list[str]
    gold: list[str]
    status: str
    reason: str | None
    answer: list[str] | None
    is_from_distribution: bool
    is_right: bool
    probabilities: list[float] | None
    confidence: float | None
    latency_s: float | None
    input_tokens: int | None
    output_tokens: int | None


def exported_runs(
    connection: Connection, runs: Sequence[Run], selection: Selection
) -> list[ExportedRun]:
    """Return the runs of *selection*, in the order of *runs*."""
    if not runs:
        return []
    with selected(connection, selection):
        values = _stated(connection)
        found = connection.execute(query("exports/foreign_runs")).fetchall()
    facts = {
        run_id: Facts._make(
            [*rest, read_object(settings, f"runs.settings of {run_id}")]
        )
        for run_id, *rest, settings in found
    }
    (method,) = selection.methods or ("",)
    return [
        ExportedRun(run, method, facts[run.run_id], values.get(run.run_id, []))
        for run in runs
    ]


def _stated(connection: Connection) -> dict[str, list[Stated]]:
    """Return the numbers of each run of the selection that have a value."""
    marks = {
        (run_id, report_row): Marks(*rest)
        for run_id, report_row, *rest in connection.execute(
            query("exports/marks")
        ).fetchall()
    }
    found: dict[str, list[Stated]] = {}
    for run_id, report_row, _, _, number, value in read_numbers(connection):
        if value.value is not None:
            mine = marks[run_id, report_row]
            counts = (value.value, value.n, value.n_scope)
            found.setdefault(run_id, []).append(
                Stated(report_row, number, *counts, mine)
            )
    return found


def samples(connection: Connection, run: Run, selection: Selection) -> Iterator[Sample]:
    """Yield the run's answer to every item of its benchmark, by item id."""
    with narrowed(connection, selection):
        found = connection.execute(
            query("exports/foreign_samples"), {"run_id": run.run_id}
        )
        rows = found.fetchall()
    return (Sample(*row) for row in rows)


def iso(time: datetime) -> str:
    """Return a stored time, which is UTC, as ISO 8601."""
    return time.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")


def epoch(time: datetime) -> str:
    """Return a stored time, which is UTC, as whole seconds since 1970."""
    return str(int(time.replace(tzinfo=UTC).timestamp()))
