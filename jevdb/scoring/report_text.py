"""The I/C report for people: text that lines up, and Markdown.

I and C have two decimals, everything else four, rounded once, half to even. Columns
that never apply to a benchmark are left out; what is null says why below the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, overload

from jevdb.base.aligning import aligned
from jevdb.base.metrics import BY_NAME, REASONS, decimals
from jevdb.base.output import Rows
from jevdb.base.tabular import Told
from jevdb.base.text import markdown_table, markdown_text, short_id, visible
from jevdb.scoring.differences import Unknown
from jevdb.scoring.numbers import Value
from jevdb.scoring.report_lines import (
    WITH_INTERVALS,
    Line,
    by_benchmark,
    report_rows,
)

FEW_ROWS = 30

INCOMPLETE, PARTIAL = "*", "+"


@dataclass(frozen=True, slots=True, repr=False)
class Report(Told):
    """Intelligence, Calibration and the typed metrics: a line per run, row, method."""

    lines: Sequence[Line]

    def __len__(self) -> int:
        return len(self.lines)

    def __bool__(self) -> bool:
        return bool(self.lines)

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Line]: ...
    def __getitem__(self, place: int | slice) -> Line | Sequence[Line]:
        return self.lines[place]

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def rows(self) -> Rows:
        """Return a row per line, full precision, with the reasons for what is null."""
        return report_rows(self.lines)

    def text(self) -> str:
        """Return the report as the command line prints it."""
        return report_text(self.lines) if self.lines else ""

    def markdown(self) -> str:
        """Return the report as Markdown tables, one per benchmark."""
        return report_markdown(self.lines) if self.lines else ""


class Column(NamedTuple):
    """A column of numbers; ECE has several, shown as ``a / b / c``."""

    heading: str
    names: tuple[str, ...]
    decimals: int = 4

    def texts(self, lines: Sequence[Line]) -> list[list[tuple[str, str]]]:
        """Return, by line and number, the rounded number and what stands beside it."""
        return [
            [
                (
                    rounded(line.numbers[name].value, self.decimals),
                    few(line, name) + interval_text(line, name, self.decimals),
                )
                for name in self.names
            ]
            for line in lines
        ]


def rounded(value: float | None, decimals: int) -> str:
    """Return *value* with its decimals, rounded half to even from the exact double."""
    return "N/A" if value is None else f"{value:z.{decimals}f}"


def few(line: Line, name: str) -> str:
    """Return the number of rows behind a number, where they are few, or nothing."""
    number = line.numbers[name]
    is_few = number.value is not None and number.n < FEW_ROWS and number.n != line.n
    return f" ({number.n})" if is_few else ""


def interval_text(line: Line, name: str, decimals: int) -> str:
    """Return the interval of a number, and its own n where it averages fewer rows.

    Its ends have half the decimals of the number.
    """
    interval = line.interval(name)
    if interval is None:
        return ""
    low, high = (rounded(end, decimals // 2) for end in interval)
    number = line.numbers[name]
    own_n = "" if number.n == line.n or few(line, name) else f" n {number.n}"
    return f" [{low}, {high}]{own_n}"


def columns(lines: Sequence[Line]) -> list[Column]:
    """Return the columns that apply to the lines of one benchmark."""
    shown = [
        *map(_column, ("intelligence", "calibration", "accuracy")),
        _ece_column(lines),
    ]
    shown += [_column(name) for name in ("tvd", "rps") if applies(lines, name)]
    if any(line.numbers["coverage"].value != 1 for line in lines):
        shown.append(_column("coverage"))
    return shown


def _column(metric: str) -> Column:
    return Column(BY_NAME[metric].heading, (metric,), decimals(metric))


def _ece_column(lines: Sequence[Line]) -> Column:
    kinds = [
        kind for kind in ("choice", "noul", "score") if applies(lines, f"ece_{kind}")
    ]
    main = lines[0].main_ece
    if main or not kinds:
        return Column("ECE", (f"ece_{main or 'pooled'}",))
    heading = "ECE" if kinds == ["choice"] else f"ECE {' / '.join(kinds)}"
    return Column(heading, tuple(f"ece_{kind}" for kind in kinds))


def applies(lines: Iterable[Line], name: str) -> bool:
    """Whether a number is asked of any of the lines."""
    return any(line.numbers[name].reason != "no_rows" for line in lines)


def report_text(lines: Sequence[Line]) -> str:
    """Return the report as text, a table for each benchmark."""
    return "\n\n".join(_benchmark_text(group) for group in by_benchmark(lines)) + "\n"


def report_markdown(lines: Sequence[Line], level: int = 2) -> str:
    """Return the report as Markdown, a heading and a table for each benchmark."""
    parts = []
    for group in by_benchmark(lines):
        heading = "#" * level + " " + markdown_text(_title(group))
        notes = [f"- {markdown_text(note)}" for note in _notes(group)]
        parts.append("\n".join([heading, "", *_markdown_lines(group), "", *notes]))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _benchmark_text(lines: Sequence[Line]) -> str:
    shown = columns(lines)
    head, table = _row_heads(lines)
    padded = [_padded(column, lines) for column in shown]
    header = ["", *head[1:], "n", *(column.heading for column in shown)]
    cells = [
        [*names, _size(line), *(column[i] for column in padded)]
        for i, (line, names) in enumerate(zip(lines, table, strict=True))
    ]
    right = [False] * len(head) + [True] * (1 + len(shown))
    top, *body = aligned([header, *cells], right)
    out = [visible(_title(lines)), "", top]
    numbered = groupby(zip(lines, body, strict=True), key=lambda pair: pair[0].run)
    for run, pairs in numbered:
        marks = f"  {', '.join(run.marks)}" if run.marks else ""
        out.append(f"{visible(run.name)}  {short_id(run.run_id)}{marks}")
        out += [text for _, text in pairs]
    return "\n".join([*out, "", *_notes(lines)]).rstrip()


def _size(line: Line) -> str:
    """Return how many items the row has, and how often each was asked."""
    repeats = line.run.n_repeats
    return f"{line.n} x{repeats}" if repeats > 1 else str(line.n)


def _row_heads(lines: Sequence[Line]) -> tuple[list[str], list[list[str]]]:
    """Return the leading columns: the report row and, of several, the method."""
    several = len({line.method_id for line in lines}) > 1
    heads = ["Row", "Method"] if several else ["Row"]
    return heads, [
        [_row_text(line), *([line.method_id] if several else [])] for line in lines
    ]


def _row_text(line: Line) -> str:
    is_slice = line.report_row != line.base_row
    name = line.report_row[len(line.base_row) + 1 :] if is_slice else line.report_row
    return ("    " if is_slice else "  ") + name + _marks(line)


def _marks(line: Line) -> str:
    marks = (INCOMPLETE if line.is_incomplete else "") + (
        PARTIAL if line.partial_types is not None else ""
    )
    return f" {marks}" if marks else ""


def _padded(column: Column, lines: Sequence[Line]) -> list[str]:
    """Return a column's cells with their numbers and counts under each other."""
    texts = column.texts(lines)
    places = range(len(column.names))
    numbers = [max(len(row[i][0]) for row in texts) for i in places]
    counts = [max(len(row[i][1]) for row in texts) for i in places]
    return [
        " / ".join(
            row[i][0].rjust(numbers[i]) + row[i][1].ljust(counts[i]) for i in places
        )
        for row in texts
    ]


def _markdown_lines(lines: Sequence[Line]) -> list[str]:
    shown = columns(lines)
    head, table = _row_heads(lines)
    texts = [column.texts(lines) for column in shown]
    rows = []
    for i, (line, (_, *method)) in enumerate(zip(lines, table, strict=True)):
        marks = f" ({', '.join(line.run.marks)})" if line.run.marks else ""
        names = [line.run.name + marks, line.report_row + _marks(line), *method]
        values = [" / ".join(map("".join, column[i])) for column in texts]
        rows.append([markdown_text(cell) for cell in [*names, _size(line), *values]])
    header = ["Model", *head, "n", *(column.heading for column in shown)]
    right = [False] * (1 + len(head)) + [True] * (1 + len(shown))
    return markdown_table(header, rows, right)


def _title(lines: Sequence[Line]) -> str:
    first = lines[0]
    methods = list(dict.fromkeys(line.method_id for line in lines))
    name, key = first.benchmark_name, first.run.benchmark_id
    return (
        f"{name if name == key else f'{name} ({key})'}, "
        f"gold revision {first.gold_revision}, "
        f"method{'s' if len(methods) > 1 else ''} {', '.join(methods)}"
    )


def _notes(lines: Sequence[Line]) -> list[str]:
    """Return what the reader of a table must know: nulls, marks, small numbers."""
    shown = columns(lines)
    notes = [
        f"N/A in {', '.join(headings)}: {REASONS.get(reason, reason)}."
        for reason, headings in _null_headings(lines, shown).items()
    ]
    if any(line.run.n_repeats > 1 for line in lines):
        notes.append(
            "x5 beside n: the run asked every item 5 times; numbers are over all its "
            "answers (jevdb repeats)."
        )
    if any(few(line, name) for line in lines for c in shown for name in c.names):
        notes.append(f"(n) beside a number: it averages only n rows, under {FEW_ROWS}.")
    if any(line.intervals for line in lines):
        notes.append(
            "[low, high]: 95 % intervals, each of its run alone; that two overlap "
            "decides nothing (jevdb compare)."
        )
    notes += [
        f"Intervals of {_listed(rows)} are over {clusters}."
        for clusters, rows in _rows_by((line.clusters, line) for line in lines)
    ]
    notes += [
        f"{BY_NAME[name].heading} of {_listed(rows)}: {words}."
        for name in WITH_INTERVALS
        for words, rows in _rows_by((_no_interval(line, name), line) for line in lines)
    ]
    if all(column.heading != "Coverage" for column in shown):
        notes.append("Coverage is 1 everywhere: every item has an ok answer.")
    if any(line.is_incomplete for line in lines):
        notes.append(
            f"{INCOMPLETE} incomplete: the items are not those METRICS.md counts; "
            "see jevdb check."
        )
    for types in sorted({tuple(line.partial_types or ()) for line in lines} - {()}):
        notes.append(
            f"{PARTIAL} partial: I and C are over {' and '.join(types)}; "
            "the run declared the other types unsupported."
        )
    return notes


def _no_interval(line: Line, name: str) -> str:
    """Return why a number that has a value has no interval, or nothing."""
    found = line.intervals.get(name)
    return found.words if isinstance(found, Unknown) else ""


def _rows_by(said: Iterable[tuple[str, Line]]) -> list[tuple[str, list[str]]]:
    """Return, for each text but the empty one, the report rows it is said of."""
    found: dict[str, dict[str, None]] = {}
    for words, line in said:
        if words:
            found.setdefault(words, {})[line.report_row] = None
    return [(words, list(rows)) for words, rows in found.items()]


def _listed(report_rows: Sequence[str]) -> str:
    return ", ".join(visible(each) for each in report_rows)


def _null_headings(
    lines: Sequence[Line], shown: Sequence[Column]
) -> dict[str, list[str]]:
    """Return, for each reason, the headings under which it made a number null."""
    found: dict[str, list[str]] = {}
    for column in shown:
        for name in column.names:
            kind = name.removeprefix("ece_") if len(column.names) > 1 else ""
            heading = f"ECE {kind}" if kind else column.heading
            for reason in sorted(
                {r for line in lines if (r := _reason(line.numbers[name]))}
            ):
                found.setdefault(reason, []).append(heading)
    return {reason: found[reason] for reason in [*REASONS, *found] if reason in found}


def _reason(number: Value) -> str | None:
    return number.reason if number.value is None else None
