"""What every result can become: rows, Arrow, pandas, polars, text, HTML.

A result keeps its own typed fields; `Tabular` gives it the rest. pyarrow, pandas and
polars are imported where they are asked for, not before.
"""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from jevdb.base.installing import require_module
from jevdb.base.metrics import NUMBERS
from jevdb.base.output import Format, Rows, in_utc, plain, write
from jevdb.base.text import markdown_text, visible

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

SHOWN = 60
"""Rows that a notebook or prompt shows; `Tabular.text` and the rest have them all."""

T = TypeVar("T")

FLOATS = frozenset(
    {
        *(number.name for number in NUMBERS),
        *("value", "base_value", "difference", "low", "high", "level", "se", "mde"),
        *("p_value", "p_adjusted", "p_bh", "value_then", "change", "value_shrunk"),
        *("equivalent_within", "accuracy_low", "accuracy_high"),
        *("intelligence_low", "intelligence_high"),
        *("accuracy_before", "accuracy_after", "intelligence_before"),
        *("intelligence_after", "calibration_before", "calibration_after"),
        *("zero_gold_rate", "null_mean", "null_low", "null_high", "share_at_least"),
        *("threshold", "threshold_in_sample", "accuracy_low", "gap", "gap_low"),
        *("gap_high", "ce2", "level", "p_harm", "mde", "not_excluded"),
        *("published", "recomputed", "baseline_value", "candidate_value", "margin"),
    }
)
"""Columns that hold numbers also where every value is null, and no type is seen."""


class Tabular(ABC):
    """A result with rows.

    Its `repr` is the text that the command line prints, cut at `SHOWN` rows; notebooks
    show a table. It has a length, its rows, and gives each by its place, as a dict
    unless it has a type of its own. Times are in UTC and say so.
    """

    __slots__ = ()

    @abstractmethod
    def rows(self) -> Rows:
        """Return every row and column, full precision, as ``--format json`` has them.

        Returns
        -------
        Rows
            ``columns``, and under them ``rows``.
        """

    def heading(self) -> Iterable[str]:
        """Return what the rows are, in lines."""
        return ()

    def people_rows(self) -> Rows:
        """Return the rows as people read them: rounded, what never applies left out."""
        return self.rows().used()

    def text(self) -> str:
        """Return the heading and all rows as text that lines up."""
        return _text(self.heading(), self.people_rows(), Format.TABLE)

    def markdown(self) -> str:
        """Return the heading and all rows as Markdown."""
        return _text(self.heading(), self.people_rows(), Format.MARKDOWN)

    def to_dicts(self) -> list[dict[str, object]]:
        """Return the rows as dicts; JSON columns are parsed.

        Returns
        -------
        list of dict
            One per row, every column a key.
        """
        rows = self.rows()
        return [
            {name: in_utc(value) for name, value in zip(rows.columns, row, strict=True)}
            for row in rows.read()
        ]

    def to_arrow(self) -> pa.Table:
        """Return the rows as an Arrow table.

        Returns
        -------
        pyarrow.Table
            Objects with free keys, such as ``reasons``, are maps; times are UTC.
        """
        import pyarrow as pa

        rows = self.rows()
        listed = list(rows.rows)
        return pa.table(
            {
                name: _arrow(name, [in_utc(row[i]) for row in listed])
                for i, name in enumerate(rows.columns)
            }
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame.

        Raises
        ------
        JevdbError
            pandas is not installed.
        """
        require_module("pandas", "formats")
        frame: pd.DataFrame = self.to_arrow().to_pandas(maps_as_pydicts="strict")
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a polars data frame.

        Raises
        ------
        JevdbError
            polars is not installed.
        """
        require_module("polars", "formats")
        import polars as pl

        frame = pl.from_arrow(self.to_arrow())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def __len__(self) -> int:
        return sum(1 for _ in self.rows().rows)

    def __bool__(self) -> bool:
        """Whether there is a result, which may be without rows."""
        return True

    def __getitem__(self, place: Any) -> Any:
        return self.to_dicts()[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self[:])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        rows, more = _beginning(self.people_rows())
        return _text(self.heading(), rows, Format.TABLE) + more

    def _repr_html_(self) -> str:
        rows, more = _beginning(self.people_rows())
        said = "".join(f"<p>{_escaped(line)}</p>" for line in (*self.heading(), more))
        return f"{said.removesuffix('<p></p>')}{_html_table(rows)}"


class Told(Tabular):
    """A result that is a text of several parts, rather than one table."""

    __slots__ = ()

    def __repr__(self) -> str:
        return self.text().rstrip("\n")

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.text())}</pre>"


@dataclass(frozen=True, slots=True, repr=False)
class Listing(Tabular):
    """Rows without a type of their own: what the warehouse lists.

    Iterating gives a dict per row, as `to_dicts` does.
    """

    listed: Rows

    def rows(self) -> Rows:
        """Return the rows."""
        return self.listed

    def __bool__(self) -> bool:
        return bool(len(self))


@dataclass(frozen=True, slots=True, repr=False)
class Records(Tabular, Sequence[T], Generic[T]):
    """Typed records in order, each a named tuple; and as rows."""

    columns: tuple[str, ...]
    records: Sequence[T]

    def rows(self) -> Rows:
        """Return a row per record, with its fields."""
        return Rows(
            self.columns,
            [[getattr(each, name) for name in self.columns] for each in self.records],
        )

    def __len__(self) -> int:
        return len(self.records)

    def __bool__(self) -> bool:
        return bool(self.records)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return self.records[place]


def _text(heading: Iterable[str], rows: Rows, form: Format) -> str:
    out = io.StringIO()
    shown = markdown_text if form is Format.MARKDOWN else visible
    for line in heading:
        out.write(f"{shown(line)}\n")
    if out.tell():
        out.write("\n")
    write(rows, form, out)
    return out.getvalue()


def _beginning(rows: Rows) -> tuple[Rows, str]:
    """Return the rows that are shown, and how many more there are in words."""
    listed = list(rows.rows)
    more = f"... and {len(listed) - SHOWN} more rows" if len(listed) > SHOWN else ""
    return Rows(rows.columns, listed[:SHOWN], rows.json_columns, rows.source), more


def _arrow(name: str, values: list[object]) -> pa.Array:
    import pyarrow as pa

    given = [value for value in values if value is not None]
    if not given:
        return pa.nulls(len(values), pa.float64() if name in FLOATS else pa.string())
    if all(isinstance(value, dict) for value in given):
        inner = [each for value in given for each in _members(value)]
        kind = pa.array(inner).type if inner else pa.string()
        items = [None if value is None else [*value.items()] for value in values]  # type: ignore[attr-defined]
        return pa.array(items, pa.map_(pa.string(), kind))
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        # Values of several types, as a margin of 1.0 or "2%": each as text.
        return pa.array([None if each is None else _cell(each) for each in values])


def _members(value: object) -> list[object]:
    assert isinstance(value, dict)
    return list(value.values())


def _html_table(rows: Rows) -> str:
    head = "".join(f"<th>{_escaped(name)}</th>" for name in rows.columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_escaped(_cell(value))}</td>' for value in row)}</tr>"
        for row in rows.plain()
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(plain(value), ensure_ascii=False)


def _escaped(text: str) -> str:
    import html

    return html.escape(visible(text))
