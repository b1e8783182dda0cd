"""The answers and distributions of predictions, read as a user asked for it.

From canonical columns to canonical columns, in one fixed order: cell to number, alias,
split, fold, style, level, merge keys, scale, partial, sum. A row whose values cannot
be read so is a fault of its line and is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import cast

from jevdb.base.errors import Problem, UsageError, near_names
from jevdb.base.wording import how, option
from jevdb.ingest.benchmark import Benchmark
from jevdb.ingest.converting.ids import IdFault, whole_id
from jevdb.ingest.converting.naming import NOTHING, Ambiguous, Named, Namer, is_numeral
from jevdb.ingest.converting.scales import (
    HUNDRED,
    NEAR_ONE,
    SINGLE,
    other_scale,
    sigmoid,
    softmax,
    total,
)
from jevdb.ingest.converting.splitting import split_text
from jevdb.ingest.converting.styles import FIRST, read_place
from jevdb.ingest.converting.tally import PLACES, Place, Tally
from jevdb.ingest.decode.decoding import Columns, Part, Problems
from jevdb.ingest.decode.record_fields import Column, Fields
from jevdb.ingest.decode.rows import Asked, AskedItems, as_text
from jevdb.ingest.decode.strict import MINUS_INFINITY, type_word
from jevdb.ingest.files.cells import JSON_NUMBER
from jevdb.ingest.reading_options import ReadingOptions

WHOLE = 0.001 + 1e-9
LEAST_MASS = 0.5
SURELY_PERCENT = 2.0
"""More than any fractions sum to, or logarithms."""
ANSWER, PROBABILITIES = "$.answer", "$.probabilities"


class RowFault(Exception):
    """What keeps a row from being read as asked."""

    def __init__(self, field: str, message: str):
        self.field = field
        self.message = message


@dataclass(slots=True)
class _Keys:
    """What a set of keys names, how each was read, and how often the set was met."""

    names: list[Named]
    out: list[str]
    is_as_given: bool
    is_whole: bool
    is_each_once: bool
    changed_by: frozenset[str]
    uses: int = 0


@dataclass(slots=True)
class _Read:
    """What a text that names an option is read as, and how often it was met since."""

    found: Named
    out: object
    uses: int = 0


class Converter:
    """Converts the columns of a run's files, one batch after the other."""

    def __init__(self, reading: ReadingOptions, items: AskedItems, problems: Problems):
        self._reading = reading
        self._items = items
        self._problems = problems
        self._namers: dict[tuple[int, bool], Namer] = {}
        self._key_sets: dict[tuple[int, tuple[str, ...]], _Keys] = {}
        self._read: dict[tuple[int, str], _Read] = {}
        self._scale = reading.scale if reading.changes("scale") else None
        self.tally = Tally()

    def part(self, part: Part) -> Part:
        """Return a part of a file converted: its levels are numbers then."""
        columns = self.columns(part.columns, part.source, part.has_text_answers)
        return Part(part.source, columns, False)

    def counted(self) -> Tally:
        """Return the tally, once the keys and texts that were met are counted in it."""
        for keys in self._key_sets.values():
            for name in keys.names:
                self.tally.count(name, keys.uses)
            keys.uses = 0
        for read in self._read.values():
            self.tally.count(read.found, read.uses)
            read.uses = 0
        return self.tally

    def columns(self, given: Columns, source: str, is_text: bool) -> Columns:
        """Return the columns converted; rows with a fault are left out and noted."""
        fields = dict(given.fields)
        count = len(given.numbers)
        ids = fields["item_id"] or [None] * count
        stays = [True] * count
        converted: dict[str, Column] = {}
        self.tally.n_rows += count
        if self._reading.changes("ids"):
            ids = self._ids(ids, given.numbers, source, stays)
            converted["item_id"] = ids
        else:
            self._refuse_fractions(ids, given.numbers, source, stays)
        namers = self._namers_of(ids, is_text)
        for name, convert, keep in (
            ("answer", self.answer, _as_texts),
            ("probabilities", self.distribution, self._as_numbers),
            ("target", self._target, _as_texts),
        ):
            column = fields.get(name)
            if column is None:
                continue
            out: Column = list(column)
            for row, (value, namer) in enumerate(zip(column, namers, strict=True)):
                if value is None or not stays[row]:
                    continue
                try:
                    if namer is None:
                        out[row] = keep(value)
                    elif type(value) is not str or value not in namer.plain:
                        out[row] = convert(value, namer, (source, given.numbers[row]))
                except RowFault as fault:
                    self._refuse(source, given.numbers[row], fault)
                    stays[row] = False
            converted[name] = out
        return _kept(given, {**fields, **converted}, stays)

    def _refuse(self, source: str, line: int, fault: RowFault) -> None:
        self._problems.add(Problem(source, line, fault.field, fault.message))

    def _as_numbers(self, value: object) -> object:
        """Return a distribution that nothing converts, held to be of numbers."""
        if isinstance(value, dict):
            listed = self._numbers(list(value.values()), "distribution")
            return dict(zip(value, listed, strict=True))
        return self._numbers(value, "list") if isinstance(value, list) else value

    def _refuse_fractions(
        self, ids: Column, numbers: Sequence[int], source: str, stays: list[bool]
    ) -> None:
        """Refuse ids that are decimals, which nobody asked to be read."""
        if float not in set(map(type, ids)):
            return
        for row, value in enumerate(ids):
            if isinstance(value, float):
                message = f"expected a whole number or a string, got {type_word(value)}"
                self._refuse(source, numbers[row], RowFault("$.item_id", message))
                stays[row] = False

    def _ids(
        self, ids: Column, numbers: Sequence[int], source: str, stays: list[bool]
    ) -> Column:
        out: Column = []
        for row, value in enumerate(ids):
            try:
                text = whole_id(value)
            except IdFault as fault:
                self._refuse(source, numbers[row], RowFault("$.item_id", str(fault)))
                stays[row] = False
                text = str(value)
            if text != value:
                self.tally.note("ids", (source, numbers[row]))
            out.append(text)
        return out

    def _namers_of(self, ids: Column, is_text: bool) -> list[Namer | None]:
        """Return what names the options of each row's item; None: there is none."""
        known: dict[int, Namer] = {}
        namers: list[Namer | None] = []
        for asked in map(self._items.get, map(str, ids)):
            if asked is not None and id(asked) not in known:
                known[id(asked)] = self.namer(asked, is_text)
            namers.append(None if asked is None else known[id(asked)])
        return namers

    def namer(self, asked: Asked, is_text: bool) -> Namer:
        """Return what names the options of items of one shape."""
        key = (id(asked.options), is_text)
        found = self._namers.get(key)
        if found is None:
            found = Namer(asked, self._reading, is_text)
            self._namers[key] = found
        return found

    def _named(self, namer: Namer, value: object, field: str) -> Named:
        try:
            return namer.named(value)
        except Ambiguous as error:
            raise RowFault(field, str(error)) from error

    def _note(self, found: Named, place: Place) -> None:
        if found.by is not None:
            self.tally.note_place(found.by, place)
            self.tally.count(found, 1)

    def answer(self, value: object, namer: Namer, place: Place) -> object:
        """Return an answer in the canonical form; raises RowFault."""
        if namer.asked.type == "multi_select":
            return self._picked(value, namer, place)
        if isinstance(value, list):
            return _as_texts(value)
        if type(value) is str and (read := self._read.get((id(namer), value))):
            read.uses += 1
            return read.out
        found = self._named(namer, value, ANSWER)
        self._note(found, place)
        self._note_number(value, found, namer, place)
        out = _as_answer(value, found, namer, self._reading)
        if type(value) is str and found.place is not None and self._is_settled(found):
            self._read[id(namer), value] = _Read(found, out)
        return out

    def _is_settled(self, found: Named) -> bool:
        """Whether to read it once more would change no more than a count."""
        is_placed = found.by is None or self.tally.has_places(found.by)
        return is_placed and self._reading.answer_style not in FIRST

    def _target(self, value: object, namer: Namer, place: Place) -> object:
        listed = value if isinstance(value, list) else [value]
        names = [self._named(namer, each, "$.target") for each in listed]
        return [
            str(each) if name.place is None else namer.options[name.place]
            for each, name in zip(listed, names, strict=True)
        ]

    def _note_number(
        self, value: object, found: Named, namer: Namer, place: Place
    ) -> None:
        """Note what numbers say of where they count from, for the guard of styles."""
        style = self._reading.answer_style
        if style not in FIRST or namer.asked.type in ("noul", "score"):
            return
        number = read_place(value)
        last = len(namer.options) if style == "index0" else 0
        if number is None:
            return
        if found.place is None and number == last:
            if len(self.tally.last_places) < PLACES:
                self.tally.last_places.append(place)
        elif number == len(namer.options) - last:
            self.tally.has_zero = True

    def _picked(self, value: object, namer: Namer, place: Place) -> object:
        """Return the picks of several, each as the option that it names."""
        listed = value
        if isinstance(value, str) and self._reading.split is not None:
            parts = split_text(value, self._reading.split)
            if parts is not None:
                self._refuse_both(value, parts, namer)
                self.tally.note("split", place)
                listed = parts
        if not isinstance(listed, list):
            return value
        picked: list[object] = []
        for each in listed:
            found = self._named(namer, each, ANSWER)
            self._note(found, place)
            self._note_number(each, found, namer, place)
            picked.append(
                str(as_text(each))
                if found.place is None
                else namer.options[found.place]
            )
        return picked

    def _refuse_both(self, text: str, parts: list[str], namer: Namer) -> None:
        """Refuse a text that is an option whole and splits into options."""
        if len(parts) < 2 or text.strip() not in namer.options:  # noqa: PLR2004
            return
        names = [self._named(namer, part, ANSWER) for part in parts]
        if all(name.place is not None for name in names):
            listed = ", ".join(repr(part) for part in parts)
            raise RowFault(
                ANSWER, f"{text!r} is an option, and splits into the options {listed}"
            )

    def distribution(self, value: object, namer: Namer, place: Place) -> object:
        """Return a distribution in the canonical form; raises RowFault."""
        if namer.asked.type == "multi_select":
            return self._as_numbers(value)
        if isinstance(value, list):
            return self._listed(value, namer, place)
        if not isinstance(value, dict):
            return value
        numbers = self._numbers(list(value.values()), "distribution")
        given = tuple(value)
        keys = self._keys(namer, given)
        stands = self._scale is None and self._reading.sum != "rescale"
        if keys.is_as_given and stands and not self._reading.partial:
            return value
        keys.uses += 1
        for name in keys.changed_by:
            self.tally.note_place(name, place)
        is_yes_alone = len(numbers) == 1 and namer.asked.type == "noul"
        scaled = self._scaled(numbers, keys, is_yes_alone, place)
        merged = self._merged(keys, scaled, given)
        if self._reading.partial and not (is_yes_alone and keys.out == ["yes"]):
            merged = self._made_whole(merged, keys, namer, place)
        return self._rescaled(merged, is_yes_alone, place)

    def _listed(self, value: list[object], namer: Namer, place: Place) -> object:
        """Return a list in option order, converted."""
        numbers = self._numbers(value, "list")
        if len(numbers) != len(namer.options):
            return numbers
        scaled = numbers
        if self._scale is not None:
            self._refuse_other_scale(numbers)
            scaled = self._on_scale(numbers, is_alone=False)
            self.tally.note("scale", place)
        if namer.asked.type == "noul" and self._reading.noul_order == "yes,no":
            scaled = scaled[::-1]
            self.tally.note("noul_order", place)
        labels = namer.options
        whole = self._rescaled(dict(zip(labels, scaled, strict=True)), False, place)
        return list(whole.values())

    def _numbers(self, values: list[object], what: str) -> list[float]:
        """Return the values as numbers: cells that end in %, and -inf of logarithms."""
        if set(map(type, values)) <= {float, int}:
            return cast("list[float]", values)
        return [self._number(value, what) for value in values]

    def _number(self, value: object, what: str) -> float:
        is_log = self._scale in ("logprob", "log2", "logit")
        if is_log and (value in MINUS_INFINITY or (value is None and what == "list")):
            return -math.inf
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        if isinstance(value, str) and value.endswith("%"):
            bare = value[:-1].strip()
            if self._scale == "percent" and JSON_NUMBER.fullmatch(bare):
                return float(bare)
            raise RowFault(
                PROBABILITIES,
                f"expected a number, got {type_word(value)}; "
                f"{how('scale', 'percent')} reads it",
            )
        raise RowFault(PROBABILITIES, f"expected a number, got {type_word(value)}")

    def _keys(self, namer: Namer, given: tuple[str, ...]) -> _Keys:
        known = (id(namer), given)
        found = self._key_sets.get(known)
        if found is None:
            found = self._read_keys(namer, given)
            self._key_sets[known] = found
        return found

    def _read_keys(self, namer: Namer, given: tuple[str, ...]) -> _Keys:
        names = self._names_of_keys(namer, given)
        out = [
            key if name.place is None else namer.options[name.place]
            for key, name in zip(given, names, strict=True)
        ]
        if len(set(out)) < len(out) and not self._reading.partial:
            self._refuse_twice(given, out)
        is_whole = set(out) == set(namer.options)
        is_each_once = len(set(out)) == len(out)
        changed = frozenset(name.by for name in names if name.by is not None)
        is_as_given = out == list(given)
        return _Keys(names, out, is_as_given, is_whole, is_each_once, changed)

    def _names_of_keys(self, namer: Namer, given: tuple[str, ...]) -> list[Named]:
        """Return what keys name; level numbers of a whole rubric are levels."""
        options = namer.options
        if set(given) == set(options):
            return [Named(options.index(key)) for key in given]
        levels = [str(place) for place in range(len(options))]
        is_unsaid = self._reading.levels is None
        if namer.asked.type == "score" and is_unsaid and set(given) == set(levels):
            return [Named(int(key)) for key in given]
        if namer.asked.type == "score" and is_unsaid:
            return [
                NOTHING if is_numeral(key) else self._key(namer, key) for key in given
            ]
        return [self._key(namer, key) for key in given]

    def _key(self, namer: Namer, key: str) -> Named:
        return self._named(namer, key, PROBABILITIES)

    def _refuse_twice(self, given: tuple[str, ...], out: list[str]) -> None:
        twice = next(label for place, label in enumerate(out) if label in out[:place])
        keys = [key for key, label in zip(given, out, strict=True) if label == twice]
        listed = " and ".join(repr(key) for key in keys)
        raise RowFault(
            PROBABILITIES,
            f"{listed} are both {twice!r}; {how('partial', True)} adds them up",
        )

    def _scaled(
        self, numbers: list[float], keys: _Keys, is_alone: bool, place: Place
    ) -> list[float]:
        if self._scale is None:
            return numbers
        if not self._reading.partial:
            self._refuse_other_scale(numbers)
        if self._scale == "logit" and not is_alone:
            named = [
                number if name.place is not None else -math.inf
                for number, name in zip(numbers, keys.names, strict=True)
            ]
            is_stray = any(name.place is None for name in keys.names)
            if is_stray and not self._reading.partial:
                return numbers
            self.tally.note("scale", place)
            return softmax(named) or numbers
        self.tally.note("scale", place)
        if is_alone:
            highest = self.tally.highest_alone
            met = numbers[0]
            self.tally.highest_alone = met if highest is None else max(highest, met)
        return self._on_scale(numbers, is_alone)

    def _on_scale(self, numbers: list[float], is_alone: bool) -> list[float]:
        if self._scale == "percent":
            return [number / HUNDRED for number in numbers]
        if self._scale == "logit":
            if is_alone:
                return [sigmoid(number) for number in numbers]
            return softmax(numbers) or numbers
        function = SINGLE[str(self._scale)]
        return [function(number) for number in numbers]

    def _refuse_other_scale(self, numbers: list[float]) -> None:
        if self._scale == "percent" and sum(numbers) > SURELY_PERCENT:
            return
        seen = other_scale(numbers, str(self._scale))
        if seen is None:
            return
        shown = ", ".join(f"{number:.4g}" for number in numbers[:3])
        what = {"fraction": "sum to 1 already", "percent": "sum to 100"}.get(
            seen, "are logarithms"
        )
        raise RowFault(
            PROBABILITIES,
            f"the line is of another scale: its values ({shown}"
            f"{', ...' if len(numbers) > 3 else ''}) {what}, "  # noqa: PLR2004
            f"as with {how('scale', seen)}, not {how('scale', str(self._scale))}",
        )

    def _merged(
        self, keys: _Keys, numbers: list[float], given: tuple[str, ...]
    ) -> dict[str, float]:
        if keys.is_each_once:
            return dict(zip(keys.out, numbers, strict=True))
        merged: dict[str, float] = {}
        strays: dict[str, float] = {}
        for label, name, key, number in zip(
            keys.out, keys.names, given, numbers, strict=True
        ):
            if name.place is None:
                strays[key] = number
            else:
                merged[label] = merged.get(label, 0.0) + number
        return {**merged, **strays}

    def _made_whole(
        self, given: dict[str, float], keys: _Keys, namer: Namer, place: Place
    ) -> dict[str, float]:
        """Return some of the options as all: what names none is left out."""
        if keys.is_whole and keys.is_each_once:
            return given
        named = {option: given.get(option, 0.0) for option in namer.options}
        rest = [value for key, value in given.items() if key not in named]
        mass = total(list(named.values()))
        values = [*named.values(), *rest]
        if not math.isfinite(mass) or min(values) < 0 or mass > 1 + NEAR_ONE:
            return given
        if mass < LEAST_MASS:
            return given
        self.tally.note("partial", place)
        self.tally.note_mass(total(rest))
        if abs(mass - 1) <= WHOLE:
            return named
        return {option: value / mass for option, value in named.items()}

    def _rescaled(
        self, given: dict[str, float], is_alone: bool, place: Place
    ) -> dict[str, float]:
        if self._reading.sum != "rescale" or is_alone:
            return given
        values = list(given.values())
        found = total(values)
        if not values or min(values) < 0 or not 0 < found < math.inf:
            return given
        deviation = abs(found - 1)
        if deviation <= WHOLE:
            return given
        self.tally.note("sum", place)
        self.tally.deviation = max(self.tally.deviation, deviation)
        return {key: value / found for key, value in given.items()}


def _as_texts(value: object) -> object:
    """Return a list as one of texts: what it lists is the name of no option yet."""
    return [str(as_text(e)) for e in value] if isinstance(value, list) else value


def _as_answer(
    value: object, found: Named, namer: Namer, reading: ReadingOptions
) -> object:
    """Return an answer as the canonical form has it; what names nothing stays."""
    if namer.asked.type == "score":
        if found.level is not None:
            return int(found.level) if found.level.is_integer() else found.level
        if found.place is not None:
            return found.place
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return as_text(value) if reading.levels and is_number else value
    if found.place is not None:
        return namer.options[found.place]
    explicit = reading.answer_style is not None and namer.asked.type == "choice"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return as_text(value) if explicit and is_number else value


def check_aliases(reading: ReadingOptions, benchmark: Benchmark) -> None:
    """Refuse an alias to a label that no item of the benchmark has.

    Raises
    ------
    UsageError
        There is one; names the near labels.
    """
    if reading.alias:
        shapes = benchmark.shapes.to_pylist()
        labels = {label for each in shapes for label in each["options"]}
        check_labels(reading, labels, repr(benchmark.benchmark_id))


def check_labels(reading: ReadingOptions, labels: set[str], where: str) -> None:
    """Refuse an alias to a label that is none of those there are."""
    for given, label in reading.alias.items():
        if label not in labels:
            raise UsageError(
                f"{option('alias')} {given}={label}: no item of {where} has the "
                f"option {label!r}; {near_names(label, labels)}"
            )


def _kept(
    given: Columns, fields: Mapping[str, Column | None], stays: list[bool]
) -> Columns:
    if all(stays):
        return Columns(given.numbers, dict(fields))
    kept: Fields = {
        name: None if column is None else list(compress(column, stays))
        for name, column in fields.items()
    }
    return Columns(list(compress(given.numbers, stays)), kept)
