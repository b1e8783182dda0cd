"""A number explained: for people (text, Markdown), for programs (one JSON object)."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from jevdb.base.documents import Json
from jevdb.base.metrics import REASONS, Scope
from jevdb.base.output import Format, Rows, plain, to_json, write
from jevdb.base.tabular import Told
from jevdb.base.text import counted, markdown_text, short_id, visible
from jevdb.scoring.explain.number_place import Asked, number_query
from jevdb.scoring.explain.written_out import Place
from jevdb.scoring.numbers import Value
from jevdb.warehouse.sqlfiles import SqlObject

TEXT_COLUMNS = 88


class Section(NamedTuple):
    """A part of an explanation: words, then maybe a table, then maybe SQL."""

    heading: str
    words: str = ""
    table: Rows | None = None
    sql: str = ""


class Terms(NamedTuple):
    """What a mean was taken of: how many terms, and their exact sum."""

    n: int
    total: float


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Told):
    """A number, and everything that went into it; tables that do not apply are None.

    Its rows are the items of the number's scope; ``every_row`` has all of the report
    row.
    """

    asked: Asked
    place: Place
    report_row: str
    value: Value
    definitions: list[SqlObject]
    parameters: Json
    scope: Scope
    fates: list[tuple[bool, str, int]]
    bins: Rows | None
    terms: Terms | None
    tiers: Rows | None
    parts: Rows | None
    components: Rows | None
    every_row: Rows

    @property
    def n_items(self) -> int:
        """How many items the report row has; the fates add up to it."""
        return sum(count for _, _, count in self.fates)

    @property
    def sql(self) -> str:
        """One query that gives the number in any DuckDB client on the file."""
        return number_query(self.place, self.asked.number, self.report_row)

    def rows(self) -> Rows:
        """Return the items of the number's scope."""
        rows = self.every_row
        in_scope = rows.columns.index("is_in_scope")
        repeat = rows.columns.index("repeat")
        left_out = {"is_in_scope"}
        if not any(row[repeat] for row in rows.rows):
            left_out.add("repeat")
        shown = [i for i, name in enumerate(rows.columns) if name not in left_out]
        kept = [[row[i] for i in shown] for row in rows.rows if row[in_scope]]
        return Rows(tuple(rows.columns[i] for i in shown), kept, rows.json_columns)

    def text(self, with_items: bool = False) -> str:
        """Return the explanation as text: everything, or all but the items."""
        parts = [visible(_title(self)), "", _value_text(self)]
        for section in _sections(self, with_items):
            parts += ["", section.heading]
            if section.words:
                parts += [_wrapped(line) for line in section.words.splitlines()]
            if section.table is not None:
                parts.append(textwrap.indent(_table(section.table, Format.TABLE), "  "))
            if section.sql:
                parts.append(textwrap.indent(section.sql, "  | ", lambda line: True))
        return "\n".join(parts) + "\n"

    def markdown(self, with_items: bool = False) -> str:
        """Return the explanation as Markdown: everything, or all but the items."""
        parts = [f"## {markdown_text(_title(self))}", "", _value_text(self)]
        for section in _sections(self, with_items):
            parts += ["", f"### {section.heading}"]
            if section.words:
                lines = section.words.splitlines()
                parts += ["", "\n".join(f"- {markdown_text(line)}" for line in lines)]
            if section.table is not None:
                parts += ["", _table(section.table, Format.MARKDOWN)]
            if section.sql:
                parts += ["", f"```sql\n{section.sql}\n```"]
        return "\n".join(parts) + "\n"

    def to_json(self, with_items: bool = True) -> Json:
        """Return everything as one JSON object; what does not apply is null."""
        return _json(self, with_items)


def _wrapped(line: str) -> str:
    return textwrap.fill(
        visible(line), TEXT_COLUMNS, initial_indent="  ", subsequent_indent="  "
    )


def _table(rows: Rows, form: Format) -> str:
    out = io.StringIO()
    write(rows.used(), form, out)
    return out.getvalue().rstrip("\n")


def _title(explanation: Explanation) -> str:
    asked = explanation.asked
    return (
        f"{asked.number.metric}, kind {asked.number.kind}, of {asked.run.name} "
        f"({short_id(asked.run.run_id)}) on {asked.run.benchmark}, "
        f"report row {explanation.report_row}, method {asked.method_id}, "
        f"gold revision {explanation.place.gold_revision}{_then(asked.as_of)}"
    )


def _then(as_of: int | None) -> str:
    return "" if as_of is None else f", as of ingest {as_of}"


def _value_text(explanation: Explanation) -> str:
    value = explanation.value
    shown = repr(value.value) if value.value is not None else "N/A"
    why = f", {REASONS.get(value.reason, value.reason)}" if value.reason else ""
    return f"{shown}  (n {value.n}, of {value.n_scope} in the scope{why})"


def _sections(explanation: Explanation, with_items: bool) -> Iterator[Section]:
    words = "\n".join(item.header for item in explanation.definitions)
    yield Section("Definition", words)
    if explanation.parameters:
        yield Section("Method", _parameters(explanation))
    view = explanation.place.scope_file
    yield Section("Scope", _scope_words(explanation), sql=view.body)
    yield Section(
        "Where the rows went",
        f"{counted(explanation.n_items, 'item')} in report row "
        f"{explanation.report_row}:",
        _fates(explanation),
    )
    yield from _numbers(explanation)
    if with_items:
        yield Section("Items of the scope", table=explanation.rows())


def _numbers(explanation: Explanation) -> Iterator[Section]:
    """Yield the tables that the number is added up from."""
    if explanation.components is not None:
        yield Section(
            "Components",
            "The index is the mean of the components that are taken, by weight.",
            explanation.components,
        )
    if explanation.tiers is not None:
        yield Section(
            "Terms of the components",
            "A component is the mean of its lines here, by weight.",
            explanation.tiers,
        )
    if explanation.parts is not None:
        yield Section(
            "Parts of the components",
            "A component is the mean of the points of its parts.",
            explanation.parts,
        )
    if explanation.bins is not None:
        words = "The ECE is the sum of what the bins add."
        yield Section("Bins", words, explanation.bins)
    if explanation.terms is not None:
        n, total = explanation.terms
        yield Section("Terms", f"The mean of {n} terms that add up to {total!r}.")


def _parameters(explanation: Explanation) -> str:
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else to_json(plain(value))}"
        for name, value in explanation.parameters.items()
    )


def _scope_words(explanation: Explanation) -> str:
    subset, kind, _ = explanation.scope
    view = explanation.place.scope_file
    name = (
        f"subset {subset}" if subset else "the subsets ece_choice, ece_noul, ece_score"
    )
    only = "" if kind == "all" else f", items of type {kind}"
    return f"{view.name}: {name}{only}\nSHA-256 of its file: {view.sha256}"


def _fates(explanation: Explanation) -> Rows:
    rows = [
        (count, "averaged" if is_averaged else "left out", fate)
        for is_averaged, fate, count in explanation.fates
    ]
    return Rows(("n", "use", "fate"), rows)


def _json(explanation: Explanation, with_items: bool) -> Json:
    asked, place = explanation.asked, explanation.place
    found: Json = {
        "run_id": asked.run.run_id,
        "model": asked.run.model,
        "revision": asked.run.revision,
        "label": asked.run.label,
        "benchmark_id": asked.run.benchmark_id,
        "report_row": explanation.report_row,
        "method_id": asked.method_id,
        "gold_revision": place.gold_revision,
        "as_of": place.as_of,
        "metric": asked.number.metric,
        "kind": asked.number.kind,
        "value": explanation.value.value,
        "n": explanation.value.n,
        "n_scope": explanation.value.n_scope,
        "reason": explanation.value.reason,
        "definition": {item.name: item.header for item in explanation.definitions},
        "parameters": plain(explanation.parameters),
        "scope": {
            "view": place.scope_file.name,
            "subset": explanation.scope.subset,
            "sha256": place.scope_file.sha256,
            "sql": place.scope_file.body,
        },
        "n_items": explanation.n_items,
        "rows": _objects(_fates(explanation)),
    }
    for name in ("components", "tiers", "parts", "bins"):
        table: Rows | None = getattr(explanation, name)
        found[name] = None if table is None else _objects(table)
    found["terms"] = explanation.terms._asdict() if explanation.terms else None
    if with_items:
        found["items"] = _objects(explanation.rows())
    return found


def _objects(rows: Rows) -> list[Json]:
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.plain()]
