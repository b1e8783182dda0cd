"""What conversions did to a file's values: how often, how, and first where."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from jevdb.base.text import counted
from jevdb.base.wording import how
from jevdb.ingest.converting.naming import Named
from jevdb.ingest.reading_options import ReadingOptions

Place = tuple[str, int]
"""A line of a file."""
PLACES = 3
MOST_MASSES = 1 << 20


@dataclass(slots=True)
class Tally:
    """Counts of what was converted, by the option that asked for it."""

    n_rows: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    """Values (labels, levels) or rows (scale, sum, partial) changed by an option."""
    details: Counter[str] = field(default_factory=Counter)
    """In which ways folded labels differed."""
    places: defaultdict[str, list[Place]] = field(
        default_factory=lambda: defaultdict(list)
    )
    masses: list[float] = field(default_factory=list)
    """What was left out of each distribution that had keys of no option."""
    deviation: float = 0.0
    """The largest distance of a sum from 1 that was divided away."""
    highest_alone: float | None = None
    """The largest P(yes) that stands alone, before it was scaled."""
    last_places: list[Place] = field(default_factory=list)
    """First places of numbers that are as many as the options, under ``index0``."""
    has_zero: bool = False

    def note(self, option: str, place: Place) -> None:
        """Note a value changed by an option at a place."""
        self.changed[option] += 1
        self.note_place(option, place)

    def note_place(self, option: str, place: Place) -> None:
        """Note where an option changed something, if the place is one of the first."""
        kept = self.places[option]
        if len(kept) < PLACES and (not kept or kept[-1] != place):
            kept.append(place)

    def has_places(self, option: str) -> bool:
        """Whether all places of an option that are shown are known."""
        return len(self.places[option]) >= PLACES

    def count(self, found: Named, n: int) -> None:
        """Count a value that was read in the same way so many times."""
        if n and found.by is not None:
            self.changed[found.by] += n
            for way in found.details:
                self.details[way] += n

    def note_mass(self, mass: float) -> None:
        """Note what was left out of a distribution."""
        if len(self.masses) < MOST_MASSES:
            self.masses.append(mass)

    def in_words(self, reading: ReadingOptions) -> list[str]:
        """Return a line for each option that was asked for."""
        asked = [
            name
            for name in ("alias", "split", "labels", "answer_style", "levels")
            if reading.changes(name)
        ]
        asked += [name for name in ("scale", "partial", "sum") if reading.changes(name)]
        asked += [
            name for name in ("noul_order", "ids", "tier") if reading.changes(name)
        ]
        return [
            self._line(name, reading) for name in asked if self._is_news(name, reading)
        ]

    def _is_news(self, name: str, reading: ReadingOptions) -> bool:
        """Whether an option that changed nothing was one that changes anything."""
        unchanged = {
            "levels": ("from=0", "names"),
            "noul_order": ("no,yes",),
            "answer_style": ("label",),
        }
        value = getattr(reading, name)
        return self.changed[name] > 0 or value not in unchanged.get(name, ())

    def _line(self, name: str, reading: ReadingOptions) -> str:
        n = self.changed[name]
        value = getattr(reading, name)
        if not n:
            said = how(name, value) if isinstance(value, str | bool) else name
            return f"{said}: {UNCHANGED[name]}"
        done = DONE[name].format(value=value, their="its" if n == 1 else "their")
        line = f"{counted(n, WHAT[name])} {done}"
        if name == "labels":
            ways = ", ".join(f"{way} {m}" for way, m in self.details.most_common())
            line += f": {ways}"
        if name == "partial" and self.masses:
            from statistics import median

            line += (
                f", left out: median {median(self.masses):.4g}, "
                f"at most {max(self.masses):.4g}"
            )
        if name == "sum":
            line += f", the largest deviation is {self.deviation:.4g}"
        if n < self.n_rows and self.places.get(name):
            listed = ", ".join(f"{source}:{at}" for source, at in self.places[name])
            line += f" ({listed}{', ...' if n > PLACES else ''})"
        return line


WHAT = {
    "alias": "value",
    "split": "text",
    "labels": "label",
    "answer_style": "value",
    "levels": "level",
    "scale": "row",
    "partial": "distribution",
    "sum": "distribution",
    "noul_order": "list",
    "ids": "id",
    "tier": "tier",
}
DONE = {
    "alias": "read by an alias",
    "split": "split at {value!r}",
    "labels": "folded",
    "answer_style": "read as {value}",
    "levels": "read as {value}",
    "scale": "read as {value}",
    "partial": "made whole from some of the options",
    "sum": "divided by {their} sum",
    "noul_order": "read in the order {value}",
    "ids": "read as whole numbers",
    "tier": "translated",
}
UNCHANGED = {
    "alias": "nothing that it translates",
    "split": "nothing to split",
    "labels": "nothing to fold",
    "answer_style": "no value of that style",
    "levels": "no level to read",
    "scale": "no values to convert",
    "partial": "every distribution is whole",
    "sum": "no sum to divide by",
    "noul_order": "no list for yes or no",
    "ids": "every id is text already",
    "tier": "no tier that it translates",
}
