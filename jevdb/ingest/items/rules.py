"""One item of a file as it is stored, or what is wrong with it (SCORING.md §1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, get_args

from jevdb.base.text import counted
from jevdb.base.wording import either, how, how_table
from jevdb.ingest.converting.folding import folded
from jevdb.ingest.converting.naming import is_numeral
from jevdb.ingest.converting.scales import looks_like
from jevdb.ingest.converting.splitting import SEPARATORS, separators, split_text
from jevdb.ingest.converting.styles import read_letter, read_place
from jevdb.ingest.decode.records import Tier, canonical_json
from jevdb.ingest.decode.rows import as_text
from jevdb.ingest.decode.strict import Fault, member, type_word

MIN_OPTIONS = 2
MAX_OPTIONS = 1000
MOST_VALUE = 1e9
"""Levels are worth no more, so that sums of them are exact enough."""
SUM_TOLERANCE = 1e-6 + 1e-12
NOUL_OPTIONS = ["no", "yes"]
SHOWN = 5
FAMILY = "fields={'family': 'tier'}"


class ItemRow(NamedTuple):
    """An item with its gold, in the columns of ``items`` and ``golds``."""

    item_id: str
    type: str
    modality: str
    tier: str | None
    family: str | None
    domain: str | None
    options: list[str]
    meta: str | None
    label_index: int | None
    labels: list[str] | None
    reference: list[float] | None
    group: str | None
    level_values: list[float] | None
    positive: str | None


class WrongItem(Exception):
    """What keeps an item from being stored."""

    def __init__(self, field: str, message: str):
        self.fault = Fault(field, message)


def item_row(given: Mapping[str, object], is_text: bool) -> ItemRow | list[Fault]:
    """Return the row of an item, or every fault it has.

    *is_text*: numbers and true or false may be written as text, as CSV cells are.
    """
    kind = str(given["type"])
    try:
        options = item_options(given.get("options"), kind)
    except WrongItem as wrong:
        return [wrong.fault]
    faults = []
    if tier_fault := _tier_fault(given.get("tier")):
        faults.append(tier_fault)
    labels, index, reference, values = None, None, None, None
    try:
        gold = _from_text(given["gold"], kind) if is_text else given["gold"]
        labels, index = _gold(gold, kind, options)
    except WrongItem as wrong:
        faults.append(wrong.fault)
    try:
        reference = _reference(given.get("gold_distribution"), kind, options)
    except WrongItem as wrong:
        faults.append(wrong.fault)
    try:
        values = _values(given.get("values"), kind, options)
    except WrongItem as wrong:
        faults.append(wrong.fault)
    positive = _word(given, "positive")
    if fault := _positive_fault(positive, kind, options):
        faults.append(fault)
    meta = given.get("meta")
    return faults or ItemRow(
        item_id=str(given["item_id"]),
        type=kind,
        modality=_word(given, "modality") or "text",
        tier=_word(given, "tier"),
        family=_word(given, "family"),
        domain=_word(given, "domain"),
        options=options,
        meta=canonical_json(meta) if isinstance(meta, dict) else None,
        label_index=index,
        labels=labels,
        reference=reference,
        group=_word(given, "group"),
        level_values=values,
        positive=positive,
    )


def level_gold(gold: object, is_text: bool) -> int | None:
    """Return the number that the gold of a score is; None: it is none."""
    number = _from_text(gold, "score") if is_text else gold
    if isinstance(number, bool) or not isinstance(number, int):
        return None
    return number


def _word(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    return None if value is None else str(value)


def _tier_fault(tier: object) -> Fault | None:
    known = get_args(Tier)
    if tier is None or tier in known:
        return None
    *most, last = map(repr, known)
    word = str(tier)
    return Fault(
        "$.tier",
        f"expected {', '.join(most)} or {last}, got {type_word(tier)}; "
        f"{how_table('tier', word, 'TIER')} says which tier it stands for, and "
        f"{either(FAMILY, '--field family=tier')} keeps it as the family",
    )


def item_options(options: object, kind: str) -> list[str]:
    """Return the options of an item of a type, in order.

    Raises
    ------
    WrongItem
        They are not what the type needs.
    """
    if kind == "noul":
        if options not in (None, NOUL_OPTIONS):
            raise WrongItem(
                "$.options", 'a noul item has ["no", "yes"], or leaves them out'
            )
        return NOUL_OPTIONS
    if isinstance(options, str):
        raise WrongItem("$.options", _joined_options(options))
    if not isinstance(options, list):
        raise WrongItem(
            "$.options", f"missing; a {kind} item needs its options in order"
        )
    if len(options) < MIN_OPTIONS:
        raise WrongItem(
            "$.options", f"{counted(len(options), 'option')}; an item needs two or more"
        )
    if len(options) > MAX_OPTIONS:
        raise WrongItem(
            "$.options", f"{len(options)} options; {MAX_OPTIONS} is the most"
        )
    if len(set(options)) < len(options):
        twice = next(o for i, o in enumerate(options) if o in options[:i])
        raise WrongItem("$.options", f"{twice!r} stands there twice")
    if kind == "score":
        _check_levels(options)
    return options


def _check_levels(options: list[str]) -> None:
    levels = _levels(options)
    if set(options) == set(levels) and options != levels:
        raise WrongItem(
            "$.options",
            "level names that are level numbers in another order than 0, 1, 2 ...",
        )


def _levels(options: list[str]) -> list[str]:
    return [str(level) for level in range(len(options))]


def _from_text(gold: object, kind: str) -> object:
    """Return what a text stands for, where the item's type calls for a number."""
    if isinstance(gold, str) and kind == "score" and gold.isascii() and gold.isdigit():
        return int(gold)
    if isinstance(gold, str) and kind == "noul":
        return {"true": "yes", "false": "no"}.get(gold, gold)
    if isinstance(gold, int) and kind == "choice":
        return str(gold)
    return gold


def _gold(
    gold: object, kind: str, options: list[str]
) -> tuple[list[str] | None, int | None]:
    """Return the gold as a set of labels or as the place of an option."""
    if kind == "multi_select":
        if not isinstance(gold, list):
            message = f"expected a list of options, got {type_word(gold)}"
            if isinstance(gold, str):
                message += f"; {splitting(gold, options)} makes a list of it"
            raise WrongItem("$.gold", message)
        for place, label in enumerate(gold):
            _known(label, options, f"$.gold[{place}]")
        return [option for option in options if option in gold], None
    if kind == "score":
        if isinstance(gold, str) and gold in options and not is_numeral(gold):
            return None, options.index(gold)
        if isinstance(gold, bool) or not isinstance(gold, int):
            message = f"expected the level's number, got {type_word(gold)}"
            raise WrongItem("$.gold", message + remedy_of(gold, kind, options))
        if not 0 <= gold < len(options):
            message = f"level {gold} is outside 0..{len(options) - 1}"
            raise WrongItem("$.gold", message + remedy_of(gold, kind, options))
        return None, gold
    if kind == "noul" and isinstance(gold, bool):
        return None, int(gold)
    if not isinstance(gold, str):
        message = f"expected an option as a string, got {type_word(gold)}"
        raise WrongItem("$.gold", message + remedy_of(gold, kind, options))
    _known(gold, options, "$.gold")
    return None, options.index(gold)


def _known(label: object, options: list[str], path: str) -> None:
    if label not in options:
        listed = ", ".join(repr(option) for option in options[:SHOWN])
        more = ", ..." if len(options) > SHOWN else ""
        kind = "noul" if options == NOUL_OPTIONS else "choice"
        message = f"{label!r} is not among the options: {listed}{more}"
        raise WrongItem(path, message + remedy_of(label, kind, options))


def remedy_of(gold: object, kind: str, options: list[str]) -> str:
    """Return which option of reading would make a gold fit; empty for none."""
    text = as_text(gold)
    if text is None:
        return ""
    if kind == "score" and (ways := level_ways(text, options)):
        return f"; {' or '.join(ways)} reads it"
    if folded(text) in map(folded, options) or (kind == "noul" and _is_boolean(text)):
        return f"; {how('labels', 'fold')} reads it"
    if kind == "noul":
        return f"; {how('alias', f'{text}=yes')} or the like says what it stands for"
    ways = [] if kind == "score" else _style_ways(gold, options)
    return f"; {' or '.join(ways)} reads it" if ways else ""


def _is_boolean(text: str) -> bool:
    return folded(text) in ("true", "false")


def level_ways(text: str, options: list[str]) -> list[str]:
    """Return what makes a level of a number."""
    if not is_numeral(text):
        return []
    starts = [n for n in (1, 0) if n <= float(text) < len(options) + n]
    names = ["names"] if text in options else []
    return [how("levels", each) for each in (*(f"from={n}" for n in starts), *names)]


def _style_ways(gold: object, options: list[str]) -> list[str]:
    """Return what makes an option of a letter or a place."""
    letter = read_letter(str(gold).strip())
    is_lettered = all(read_letter(option) for option in options)
    if letter is not None and letter.place < len(options) and not is_lettered:
        return [how("answer_style", "letter")]
    place = read_place(gold)
    starts = (
        [] if place is None else [n for n in (0, 1) if n <= place < len(options) + n]
    )
    return [how("answer_style", f"index{n}") for n in starts]


def _joined_options(text: str) -> str:
    """Return what to do about options in one text."""
    kinds = [each for each in SEPARATORS if len(split_text(text, each) or ()) > 1]
    ways = " or ".join(how("split", each) for each in kinds[:3])
    return (
        f"a list of options is asked, got {type_word(text)}; "
        f"{ways or how('split', 'SEP')} makes a list of it"
    )


def splitting(text: str, options: list[str]) -> str:
    """Return how a text is split into options."""
    ways = separators([(text, options)])
    return " or ".join(how("split", each) for each in ways[:3]) or how("split", "SEP")


def _reference(given: object, kind: str, options: list[str]) -> list[float] | None:
    path = "$.gold_distribution"
    if given is None:
        return None
    if kind == "multi_select":
        raise WrongItem(path, "a multi-select item takes none")
    values = _by_option(given, kind, options, path)
    for place, value in enumerate(values):
        if not 0 <= value <= 1:
            message = f"{value!r} for {options[place]!r} is outside [0, 1]"
            raise WrongItem(path, message + _scale_ways(values))
    total = 0.0
    for value in values:
        total += value
    if abs(total - 1) > SUM_TOLERANCE:
        message = f"sums to {total!r}, not to 1 within 1e-6"
        raise WrongItem(path, message + _scale_ways(values))
    return values


def _scale_ways(values: Sequence[float]) -> str:
    """Return which options make a distribution of values; empty for none."""
    seen = looks_like(values) if len(values) > 1 else None
    ways = [how("scale", seen)] if seen else []
    if min(values) >= 0 and sum(values) > 0:
        ways.append(f"{how('sum', 'rescale')} divides by the sum")
    if seen:
        ways[0] += " reads it"
    return f"; {', '.join(ways)}" if ways else ""


def _values(given: object, kind: str, options: list[str]) -> list[float] | None:
    """Return what the levels of a score are worth, lowest first."""
    path = "$.values"
    if given is None:
        return None
    if kind != "score":
        raise WrongItem(path, f"a {kind} item takes none; its options are no levels")
    assert isinstance(given, list)
    if len(given) != len(options):
        raise WrongItem(
            path, f"{counted(len(given), 'value')} for {len(options)} levels"
        )
    values = [float(value) for value in given]
    for place, (low, high) in enumerate(pairwise(values), 1):
        if not low < high:
            raise WrongItem(
                path,
                f"{high!r} for {options[place]!r} is not above {low!r}; give one value "
                "a level, in the order of the options, lowest first",
            )
    if abs(values[0]) > MOST_VALUE or abs(values[-1]) > MOST_VALUE:
        raise WrongItem(path, f"beyond {MOST_VALUE:g}; choose another unit")
    return values


def _positive_fault(
    positive: str | None, kind: str, options: list[str]
) -> Fault | None:
    if positive is None:
        return None
    if kind == "multi_select":
        return Fault("$.positive", "a multi-select item takes none")
    try:
        _known(positive, options, "$.positive")
    except WrongItem as wrong:
        return wrong.fault
    return None


def _by_option(given: object, kind: str, options: list[str], path: str) -> list[float]:
    if isinstance(given, list):
        if len(given) != len(options):
            raise WrongItem(
                path, f"{counted(len(given), 'value')} for {len(options)} options"
            )
        return given
    assert isinstance(given, dict)
    if kind == "noul" and given.keys() == {"yes"}:
        return [1.0 - given["yes"], given["yes"]]
    levels = _levels(options) if kind == "score" else options
    keys = levels if given.keys() == set(levels) else options
    from_1 = {str(level + 1) for level in range(len(options))}
    if kind == "score" and keys == options and given.keys() == from_1 != set(options):
        message = "its keys count the levels from 1"
        raise WrongItem(path, f"{message}; {how('levels', 'from=1')} reads them")
    for fault in _key_faults(given, keys, path):
        raise WrongItem(fault.field or path, fault.message)
    return [given[key] for key in keys]


def _key_faults(
    given: Mapping[str, float], keys: list[str], path: str
) -> Iterator[Fault]:
    for key in given:
        if key not in keys:
            yield Fault(member(path, key), "not among the options")
    for key in keys:
        if key not in given:
            yield Fault(path, f"nothing for option {key!r}")
