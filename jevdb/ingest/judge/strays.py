"""Rows that are invalid by their values, or of two meanings, as they were given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jevdb.ingest.converting.styles import read_place
from jevdb.ingest.decode.rows import Asked, as_text

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 1000
INVALID = ("label_set", "answer", "range", "sum")
NOUL_LIST, NUMERAL_LEVELS = "noul_list", "numeral_levels"


class Stray(NamedTuple):
    """One such row; ``reason`` is why it is here."""

    source: str
    line: int
    item_id: str
    type: str
    options: list[str]
    reason: str
    keys: list[str] | None
    given: list[float] | None
    text: str | None
    number: float | None
    labels: list[str] | None

    @property
    def asked(self) -> Asked:
        """How its item is answered."""
        return Asked(self.type, self.options)

    @property
    def distribution(self) -> dict[str, float] | list[float] | None:
        """Its probabilities, as they were given."""
        if self.given is None or self.keys is None:
            return self.given
        return dict(zip(self.keys, self.given, strict=True))

    @property
    def answer(self) -> object:
        """Its answer, as it was given; whole numbers as such."""
        if self.number is not None:
            place = read_place(self.number)
            return self.number if place is None else place
        return self.labels if self.labels is not None else self.text

    @property
    def named(self) -> list[object]:
        """What is to name its options: keys, or answers."""
        if self.keys is not None and self.reason in ("label_set", *SCALED):
            return list(self.keys)
        answer = self.answer
        if isinstance(answer, list):
            return list(answer)
        return [] if answer is None else [answer]

    @property
    def misnamed(self) -> list[object]:
        """Those of them that are no option as they stand."""
        return [each for each in self.named if as_text(each) not in self.options]


SCALED = ("range", "sum")


@dataclass(slots=True)
class Strays:
    """The first of them for each type and reason, and how many there are."""

    listed: list[Stray] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    _kept: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, rows: pa.Table) -> None:
        """Take the strays of one group of rows."""
        seen: set[tuple[str, str]] = set()
        for row in rows.to_pylist():
            n = row.pop("n")
            stray = Stray(*row.values())
            key = (stray.type, stray.reason)
            if key not in seen:
                self.counts[key] += n
                seen.add(key)
            if self._kept[key] < MOST:
                self._kept[key] += 1
                self.listed.append(stray)

    def leave_out(self, reason: str, sources: Collection[str]) -> None:
        """Leave out those of a reason that are of some files."""
        if sources and any(key[1] == reason for key in self.counts):
            self.listed = [
                each
                for each in self.listed
                if each.reason != reason or each.source not in sources
            ]

    def leave_out_lines(self, lines: Container[tuple[str, int]]) -> None:
        """Leave out those of some lines."""
        kept = []
        for each in self.listed:
            if (each.source, each.line) in lines:
                self.counts[each.type, each.reason] -= 1
            else:
                kept.append(each)
        self.listed = kept

    def of(self, reasons: Iterable[str], type: str | None = None) -> list[Stray]:
        """Return those of some reasons, of one type or of all."""
        wanted = set(reasons)
        return [
            each
            for each in self.listed
            if each.reason in wanted and type in (None, each.type)
        ]

    def n(self, reasons: Sequence[str], type: str) -> int:
        """Return how many a type has, for some reasons."""
        return sum(self.counts[type, reason] for reason in reasons)


class Answered(NamedTuple):
    """How many answers a type has, and whether they say the lowest, highest level."""

    n: int
    has_zero: bool = False
    has_last: bool = False
