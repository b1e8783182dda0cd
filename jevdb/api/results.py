"""What a `Warehouse` returns, where no module of the warehouse itself names it.

Every result keeps its typed parts, and becomes rows, Arrow, pandas or polars.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

from jevdb.base.output import Rows
from jevdb.base.tabular import Tabular, Told

if TYPE_CHECKING:
    from os import PathLike

    from jevdb.comparison.history import Asked as AskedHistory
    from jevdb.comparison.history import Line as HistoryLine
    from jevdb.comparison.method_effects import Asked as AskedMethods
    from jevdb.comparison.method_effects import Standings
    from jevdb.exports.verify.verify import Verdict as Claimed
    from jevdb.ingest.results.storing import Outcome
    from jevdb.scoring.calibration_report import Depth
    from jevdb.scoring.explain.number_place import Asked as AskedNumber
    from jevdb.scoring.report import Line
    from jevdb.scoring.revisions import Effect, Revision
    from jevdb.scoring.runs import Run
    from jevdb.warehouse.checks import Fault, Shortfall


@dataclass(frozen=True, slots=True, repr=False)
class Report(Told):
    """Intelligence, Calibration and the typed metrics: a line per run, row, method."""

    lines: Sequence[Line]

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def rows(self) -> Rows:
        """Return a row per line, full precision, with the reasons for what is null."""
        from jevdb.scoring.report import report_rows

        return report_rows(self.lines)

    def text(self) -> str:
        """Return the report as the command line prints it."""
        from jevdb.scoring.report_text import report_text

        return report_text(self.lines) if self.lines else ""

    def markdown(self) -> str:
        """Return the report as Markdown tables, one per benchmark."""
        from jevdb.scoring.report_text import report_markdown

        return report_markdown(self.lines) if self.lines else ""


@dataclass(frozen=True, slots=True, repr=False)
class Runs(Tabular, Sequence["Run"]):
    """Runs in the order of reports; the rows have settings, files and digests too."""

    runs: Sequence[Run]
    listed: Rows

    def rows(self) -> Rows:
        """Return a row per run, every column."""
        return self.listed

    def people_rows(self) -> Rows:
        """Return the columns people look at, ids short, the state in words."""
        from jevdb.api.people import runs_for_people

        return runs_for_people(self.listed)

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Run]: ...
    def __getitem__(self, place: int | slice) -> Run | Sequence[Run]:
        return self.runs[place]


@dataclass(frozen=True, slots=True, repr=False)
class History(Tabular):
    """Every run of a model, scored by the gold of then and of now."""

    asked: AskedHistory
    lines: Sequence[HistoryLine]

    def rows(self) -> Rows:
        """Return a row per run."""
        from jevdb.comparison.history import history_rows

        return history_rows(self.asked, self.lines)

    def people_rows(self) -> Rows:
        """Return the columns people look at, ids short, numbers with four decimals."""
        from jevdb.api.people import history_for_people

        return history_for_people(self.rows())


@dataclass(frozen=True, slots=True, repr=False)
class Calibration(Told):
    """How far a run's confidence can be trusted, by kind of ECE."""

    asked: AskedNumber
    report_row: str
    depths: Sequence[Depth]

    def rows(self) -> Rows:
        """Return a row per kind; bins and curve are lists of objects."""
        from jevdb.scoring.calibration_report import depth_rows

        return depth_rows(self.asked, self.report_row, self.depths)

    def text(self) -> str:
        """Return bins, the band of chance and thresholds as text."""
        from jevdb.scoring.calibration_text import calibration_text

        return calibration_text(self.asked, self.report_row, self.depths)

    def markdown(self) -> str:
        """Return the text as a block of Markdown."""
        return f"```\n{self.text()}```\n"


@dataclass(frozen=True, slots=True, repr=False)
class Revisions(Told):
    """What each gold revision of a benchmark changed, and did to the runs."""

    benchmark_id: str
    revisions: Sequence[Revision]
    effects: Sequence[Effect]

    def rows(self) -> Rows:
        """Return a row per revision, run and report row."""
        from jevdb.scoring.revisions import revision_rows

        return revision_rows(self.revisions, self.effects)

    def text(self) -> str:
        """Return the revisions and their effects as text."""
        from jevdb.scoring.revisions_text import revisions_text

        return revisions_text(self.benchmark_id, self.revisions, self.effects)


@dataclass(frozen=True, slots=True, repr=False)
class MethodRanks(Tabular):
    """Runs ranked by several methods; with two runs, what of the step is method."""

    asked: AskedMethods
    standings: Standings
    pair: Sequence[Run]

    def rows(self) -> Rows:
        """Return a row per run and method; of two runs, the parts of the step."""
        from jevdb.comparison.method_effects import standing_rows

        return self._steps() if self.pair else standing_rows(self.asked, self.standings)

    def people_rows(self) -> Rows:
        """Return a row per run, best first by the first method."""
        from jevdb.comparison.method_effects import wide_rows

        if self.pair:
            return self._steps()
        return wide_rows(self.standings, self.asked.methods)

    def _steps(self) -> Rows:
        from jevdb.comparison.method_effects import step_rows

        old, new = self.pair
        return step_rows(self.standings, old, new, self.asked.methods)


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Tabular):
    """Which published numbers recompute, which differ, and which lack data."""

    verdicts: Sequence[Claimed]

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        from jevdb.exports.verify.verify import counts

        return counts(self.verdicts)

    @property
    def passed(self) -> bool:
        """Whether no number differs."""
        from jevdb.exports.verify.verify import DIFFERS

        return not self.counts[DIFFERS]

    def rows(self) -> Rows:
        """Return a row per number."""
        from jevdb.exports.verify.verify import verdict_rows

        return verdict_rows(self.verdicts)

    def heading(self) -> Iterable[str]:
        """Return the counts in a line."""
        yield ", ".join(f"{count} {word}" for word, count in self.counts.items())


@dataclass(frozen=True, slots=True, repr=False)
class Integrity(Tabular):
    """What the checks of a warehouse found, by check; and what benchmarks lack."""

    found: Mapping[str, Sequence[Fault]]
    shortfalls: Sequence[Shortfall]

    @property
    def passed(self) -> bool:
        """Whether no check found a fault; a benchmark that lacks items is none."""
        return not any(self.found.values())

    @property
    def counts(self) -> str:
        """How many faults each check found, in words."""
        return ", ".join(
            f"{name} {len(rows)}" for name, rows in self.found.items() if rows
        )

    def rows(self) -> Rows:
        """Return a row per fault."""
        from jevdb.warehouse.checks import Fault

        return Rows(
            Fault._fields, [each for one in self.found.values() for each in one]
        )

    def heading(self) -> Iterable[str]:
        """Return how many faults each check found, and what benchmarks lack."""
        yield from (f"incomplete: {each}" for each in self.shortfalls)
        found = "no faults" if self.passed else f"faults found: {self.counts}"
        yield f"{len(self.found)} checks, {found}"


@dataclass(frozen=True, slots=True, repr=False)
class PublishedOutcomes(Tabular):
    """What became of every file of published results."""

    outcomes: Sequence[Outcome]
    skipped: Sequence[str]

    def rows(self) -> Rows:
        """Return a row per file."""
        documents = [each.to_json() for each in self.outcomes]
        columns = tuple(documents[0]) if documents else ("source", "outcome")
        return Rows(columns, [list(each.values()) for each in documents])


@dataclass(frozen=True, slots=True)
class Export:
    """An ``evaluation_results.json``: its bytes, and the results table if asked for.

    ``is_new`` says whether a snapshot was not kept already; null where none is kept.
    """

    runs: Sequence[Run]
    results: bytes
    table: bytes | None
    is_new: bool | None

    def to_json(self) -> dict[str, object]:
        """Return the document."""
        document: dict[str, object] = json.loads(self.results)
        return document

    def write(self, path: str | PathLike[str]) -> None:
        """Write the document to a file, whole or not at all."""
        from jevdb.warehouse.files import write_whole

        write_whole(Path(path), self.results)

    def __repr__(self) -> str:
        return f"<Export of {len(self.runs)} runs, {len(self.results):,} bytes>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(repr(self))}</pre>"
