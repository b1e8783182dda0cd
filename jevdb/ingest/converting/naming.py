"""What option a value names: an answer, a gold, or a key of a distribution.

One order for all: alias, fold, style, level. An exact label always wins.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import NamedTuple

from jevdb.ingest.converting.folding import differences, folded
from jevdb.ingest.converting.styles import FIRST, read_letter, read_place
from jevdb.ingest.decode.rows import Asked, as_text
from jevdb.ingest.reading_options import ReadingOptions

NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
BOOLEANS = {"true": "yes", "false": "no"}
UPPER = frozenset(string.ascii_uppercase)


class Ambiguous(Exception):
    """A value that names two options, or contradicts itself: a fault of its line."""


class Named(NamedTuple):
    """The option that a value names by its place, or the level; how it was read.

    ``place`` is None where the value names no option; ``level`` is the number where it
    says one that is perhaps no whole level.
    """

    place: int | None
    level: float | None = None
    by: str | None = None
    details: tuple[str, ...] = ()


NOTHING = Named(None)


def is_numeral(text: str) -> bool:
    """Whether a label is a number."""
    return NUMERAL.fullmatch(text.strip()) is not None


def has_numeral_names(options: Sequence[str]) -> bool:
    """Whether levels are called by numbers that are not their own places from 0."""
    if list(options) == [str(place) for place in range(len(options))]:
        return False
    return any(map(is_numeral, options))


class Namer:
    """Names the options of one shape of items, by what was asked of reading.

    *is_text*: the file is text (CSV), where digits are numbers.
    """

    def __init__(self, asked: Asked, reading: ReadingOptions, is_text: bool):
        self.asked = asked
        self.options = asked.options
        self._reading = reading
        self._is_text = is_text
        self._places = {label: place for place, label in enumerate(asked.options)}
        self._folds = reading.labels == "fold"
        self._folded = self._foldings()
        self._is_noul = asked.type == "noul"
        self._is_score = asked.type == "score"
        self._known: dict[tuple[type, object], Named] = {}
        is_single = asked.type in ("choice", "noul")
        self.plain = frozenset(
            label for label in asked.options if is_single and not self._is_digits(label)
        )
        """Labels that a single answer is as it stands."""
        self._by_number = has_numeral_names(asked.options) if self._is_score else False
        self._is_lettered = all(
            len(option) == 1 and option.upper() in UPPER for option in asked.options
        )
        self._alias = {
            given: label
            for given, label in reading.alias.items()
            if given not in self._places
        }

    def _foldings(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for label in self.options:
            found.setdefault(folded(label), []).append(label)
        if self.asked.type == "noul":
            for word, label in BOOLEANS.items():
                found.setdefault(word, []).append(label)
        return found

    def named(self, value: object) -> Named:
        """Return what a value names.

        Raises
        ------
        Ambiguous
            It names two options.
        """
        key = (type(value), value)
        try:
            return self._known[key]
        except KeyError:
            found = self._named(value)
            self._known[key] = found
            return found

    def folds_to(self, text: str) -> list[str]:
        """Return the options that a text is after folding."""
        return self._folded.get(folded(text), [])

    def _named(self, value: object) -> Named:
        text = as_text(value)
        if text is None:
            return NOTHING
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if isinstance(value, bool) and self._is_noul and text not in self._alias:
            return Named(self._places[BOOLEANS[text]])
        if not is_number and not self._is_digits(text) and text in self._places:
            return Named(self._places[text])
        return (
            self._by_alias(text)
            or (None if is_number else self._by_folding(text))
            or self._by_style(value, text)
            or self._by_level(value, text)
            or NOTHING
        )

    def _is_digits(self, text: str) -> bool:
        """Whether a text may be a number that says a place or a level."""
        asks = self._is_score or self._reading.answer_style in FIRST
        return asks and not self._is_noul and is_numeral(text)

    def _by_alias(self, text: str) -> Named | None:
        label = self._alias.get(text)
        if label is None and self._folds:
            same = folded(text)
            if same not in self._folded:
                label = next(
                    (to for given, to in self._alias.items() if folded(given) == same),
                    None,
                )
        if label is None:
            return None
        place = self._places.get(label)
        return None if place is None else Named(place, by="alias")

    def _by_folding(self, text: str) -> Named | None:
        if self._is_noul and self._is_text and text in BOOLEANS:
            return Named(self._places[BOOLEANS[text]])
        if not self._folds or self._is_digits(text):
            return None
        labels = self.folds_to(text)
        if len(labels) > 1:
            listed = " and ".join(repr(label) for label in labels)
            raise Ambiguous(f"{text!r} folds to both {listed}; write one of them")
        if not labels:
            return None
        ways = tuple(differences(text, labels[0]))
        return Named(self._places[labels[0]], by="labels", details=ways)

    def _by_style(self, value: object, text: str) -> Named | None:
        style = self._reading.answer_style
        if self._is_noul or style is None:
            return None
        if style == "letter":
            return self._by_letter(text)
        if style in FIRST and not self._is_score:
            return self._by_place(value, FIRST[style])
        place = None if self._is_score else self._places.get(text)
        return None if place is None else Named(place)

    def _by_place(self, value: object, first: int) -> Named | None:
        place = read_place(value)
        if place is None or not 0 <= place - first < len(self.options):
            return None
        return Named(place - first, by="answer_style")

    def _by_letter(self, text: str) -> Named | None:
        if self._is_lettered:
            return None
        found = read_letter(text.strip() if self._folds else text)
        if found is None or not (found.is_upper or self._folds):
            return None
        if found.place >= len(self.options):
            return None
        option = self.options[found.place]
        beside = found.beside
        if beside is not None and beside != option:
            same = self._folds and folded(beside) == folded(option)
            if not same:
                raise Ambiguous(
                    f"{text!r}: the letter says {option!r}, the text beside it "
                    f"{beside!r}"
                )
        return Named(found.place, by="answer_style")

    def _by_level(self, value: object, text: str) -> Named | None:
        if not self._is_score:
            return None
        levels = self._reading.levels
        if levels == "names" or not is_numeral(text):
            place = self._places.get(text)
            return None if place is None else Named(place, by="levels")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if levels is None:
            return self._unsaid_level(float(text), is_number)
        shift = int(levels.removeprefix("from="))
        level = float(text) - shift
        return Named(self._whole(level), level, by="levels" if shift else None)

    def _unsaid_level(self, level: float, is_number: bool) -> Named | None:
        """Return a level where nothing was said of levels; guards look at the rest."""
        if not is_number and not self._is_text:
            return None
        return Named(self._whole(level), level)

    def _whole(self, level: float) -> int | None:
        is_one = level.is_integer() and 0 <= level < len(self.options)
        return int(level) if is_one else None
