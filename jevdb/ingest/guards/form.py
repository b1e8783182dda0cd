"""The guards on rows that are invalid, or whose form has two meanings (DOOR.md §5).

Each returns what it has to say, or None. In the order of `GUARDS` the first speaks
first; a row that fits under an option is never stored as something else unasked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jevdb.base.errors import Problem
from jevdb.base.text import counted
from jevdb.base.wording import how
from jevdb.ingest.converting.folding import folded
from jevdb.ingest.converting.naming import has_numeral_names, is_numeral
from jevdb.ingest.converting.scales import is_near_one, looks_like
from jevdb.ingest.converting.splitting import SEPARATORS, separators
from jevdb.ingest.converting.styles import read_place
from jevdb.ingest.converting.tally import Tally
from jevdb.ingest.decode.rows import as_text
from jevdb.ingest.guards.remedies import Remedy, best, fits, in_words, unsaid
from jevdb.ingest.guards.shown import places, quoted
from jevdb.ingest.judge.strays import (
    INVALID,
    NOUL_LIST,
    NUMERAL_LEVELS,
    Answered,
    Stray,
    Strays,
)
from jevdb.ingest.reading_options import ReadingOptions

TYPE_WORDS = ("choice", "noul", "score", "multi_select")
NAMED = ("label_set", "answer")
SUMS = ("range", "sum", "label_set")
FEW = 10
"""Rows of both signs, of which one in so many logarithms is no chance."""
STYLES: tuple[Remedy, ...] = (
    {"answer_style": "label"},
    {"answer_style": "letter"},
    {"answer_style": "letter", "labels": "fold"},
    {"answer_style": "index0"},
    {"answer_style": "index1"},
)
WORDS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """What the guards look at: invalid rows, how many answers a type has, options."""

    benchmark_id: str
    strays: Strays
    answered: Mapping[str, Answered]
    reading: ReadingOptions
    allows_invalid: bool
    tally: Tally

    def n(self, type: str) -> int:
        """Return how many answers a type has."""
        return self.answered[type].n if type in self.answered else 0


class Said(NamedTuple):
    """What a guard says, and of which types of items."""

    problem: Problem
    types: frozenset[str]


def spoken(judged: Judged) -> list[Problem]:
    """Return what the guards say, the first that holds first."""
    said: list[Said] = []
    guards = (_noul_lists, _levels) if judged.allows_invalid else GUARDS
    for guard in guards:
        said += guard(judged)
    if not judged.allows_invalid:
        covered = {type for each in said for type in each.types}
        said += _misfits(judged, covered)
    return [each.problem for each in said]


def _said(strays: Sequence[Stray], field: str | None, message: str) -> Said:
    first = strays[0]
    problem = Problem(first.source, first.line, field, message)
    return Said(problem, frozenset(each.type for each in strays))


def _scales(judged: Judged) -> Iterator[Said]:
    """Values that are no fractions: percent, logarithms, logits, weights."""
    if judged.reading.scale is not None:
        yield from _fractions(judged)
        return
    strays = [each for each in judged.strays.of(SUMS) if each.given]
    by_scale: dict[str, list[Stray]] = {"logprob": [], "log2": [], "percent": []}
    for stray in strays:
        if scale := _scale_of(stray):
            by_scale[scale].append(stray)
    logs = by_scale["logprob"] + by_scale["log2"]
    outside = [each for each in strays if _is_outside(each)]
    if _are_logits(outside, logs) and _is_most(outside, judged):
        yield _said(
            outside,
            "$.probabilities",
            f"{_of(outside, judged)} have values outside 0..1, and there are values of "
            f"both signs ({_values(outside)}); {how('scale', 'logit')} reads raw "
            f"scores by a softmax, {how('scale', 'fraction')} keeps them",
        )
    elif logs:
        yield _of_logarithms(logs, len(by_scale["log2"]), judged)
    elif percents := by_scale["percent"]:
        yield _said(
            percents,
            "$.probabilities",
            f"{_of(percents, judged)} are in percent ({_values(percents)}); "
            f"{how('scale', 'percent')} reads them"
            f"{_and_names(percents, judged, 'percent')}",
        )
    elif judged.reading.sum is None:
        yield from _sums(judged)


def _of_logarithms(logs: list[Stray], n_binary: int, judged: Judged) -> Said:
    first, second = "logprob", "log2"
    if 2 * n_binary > len(logs):
        first, second = second, first
    is_alone = any(map(_is_yes_alone, logs))
    logit = f", {how('scale', 'logit')} reads raw scores" if is_alone else ""
    return _said(
        sorted(logs, key=lambda each: (each.source, each.line)),
        "$.probabilities",
        f"{_of(logs, judged)} have no value above 0 ({_values(logs)}): logarithms; "
        f"{how('scale', first)} reads them, {how('scale', second)} to the other "
        f"base{logit}{_and_names(logs, judged, first)}",
    )


def _are_logits(outside: Sequence[Stray], logs: Sequence[Stray]) -> bool:
    """Whether values of both signs stand where logarithms would have one."""
    n_mixed = sum(min(each.given or ()) < 0 < max(each.given or ()) for each in outside)
    alone = [
        value for each in outside if _is_yes_alone(each) for value in each.given or ()
    ]
    is_alone_mixed = bool(alone) and min(alone) < 0 < max(alone)
    return is_alone_mixed or n_mixed * FEW > len(logs)


def _is_outside(stray: Stray) -> bool:
    given = stray.given or [0.0]
    return min(given) < 0 or max(given) > 1


def _is_yes_alone(stray: Stray) -> bool:
    return stray.keys == ["yes"] and stray.type == "noul"


def _fractions(judged: Judged) -> Iterator[Said]:
    """P(yes) alone in percent, of which none is above 1: fractions, most likely."""
    highest, places_met = judged.tally.highest_alone, judged.tally.places.get("scale")
    is_percent = judged.reading.scale == "percent"
    if is_percent and places_met and highest is not None and 0 < highest <= 1:
        source, line = places_met[0]
        message = (
            f"no P(yes) is above {highest:.4g} in percent: they are fractions, most "
            f"likely; leave out {how('scale', 'percent')}, or store them as hundredths "
            f"with {how('allow', 'invalid')}"
        )
        problem = Problem(source, line, "$.probabilities", message)
        yield Said(problem, frozenset(("noul",)))


def _and_names(strays: Sequence[Stray], judged: Judged, scale: str) -> str:
    """Return what else rows need whose keys are other ones than the options."""
    others = [each for each in strays if each.reason == "label_set"]
    remedy = best(others, judged.reading, scale) if others else None
    return f", with {in_words(remedy)} for its keys" if remedy else ""


def _scale_of(stray: Stray) -> str | None:
    given = stray.given or []
    if _is_yes_alone(stray):
        if given[0] < 0:
            return "logprob"
        return "percent" if 1 < given[0] <= 100 else None  # noqa: PLR2004 (percent)
    return looks_like(given)


def _sums(judged: Judged) -> Iterator[Said]:
    for type in TYPE_WORDS:
        off = [
            each
            for each in judged.strays.of(("range", "sum"), type)
            if each.given and min(each.given) >= 0 and not _is_yes_alone(each)
        ]
        if off and _is_most(off, judged):
            yield _said(
                off,
                "$.probabilities",
                f"{_of(off, judged)} do not sum to 1 ({_values(off)}); "
                f"{how('sum', 'rescale')} divides by the sum, "
                f"{how('scale', 'percent')} and others say a scale, "
                f"{how('allow', 'invalid')} stores them as invalid",
            )


def _is_most(strays: Sequence[Stray], judged: Judged) -> bool:
    """Whether they are more than half of the answers of one type."""
    for type, n in Counter(each.type for each in strays).items():
        kept = len(judged.strays.of(SUMS, type))
        total = judged.strays.n(SUMS, type)
        if 2 * n * max(total, 1) > judged.n(type) * max(kept, 1):
            return True
    return False


def _near_labels(judged: Judged) -> Iterator[Said]:
    """Values that are no option, and would be one after folding."""
    if judged.reading.labels is not None:
        return
    near: list[tuple[Stray, object, str]] = []
    for stray in judged.strays.of(NAMED):
        for value in stray.misnamed:
            if label := _near(value, stray):
                near.append((stray, value, label))
                break
    if not near:
        return
    strays = [stray for stray, _, _ in near]
    listed = places(
        [
            (stray.source, stray.line, quoted(value, label))
            for stray, value, label in near
        ]
    )
    n = len(near)
    what = "value is" if n == 1 else "values are"
    yield _said(
        strays,
        _field(strays[0]),
        f"{n} {what} no option ({listed}) and would be {'one' if n == 1 else 'options'}"
        f", as {quoted(near[0][2])}, with {how('labels', 'fold')}; "
        f"{how('labels', 'exact')} stores {'it' if n == 1 else 'them'} as invalid",
    )


def _is_near(stray: Stray) -> bool:
    """Whether folding would name options by what is none as it stands."""
    return any(_near(value, stray) for value in stray.misnamed)


def _field(stray: Stray) -> str:
    return "$.answer" if stray.given is None else "$.probabilities"


def _near(value: object, stray: Stray) -> str | None:
    if not isinstance(value, str):
        return None
    same = folded(value)
    for label in stray.options:
        if folded(label) == same:
            return label
    if stray.type == "noul" and same in ("true", "false"):
        return "yes" if same == "true" else "no"
    return None


def _styles(judged: Judged) -> Iterator[Said]:
    """Letters and places where options have names of their own."""
    if judged.reading.answer_style is not None:
        yield from _places_from(judged)
        return
    for type in ("choice", "multi_select", "score"):
        strays = _style_strays(judged, type)
        if not strays or (judged.reading.labels is None and all(map(_is_near, strays))):
            continue
        remedies = [
            each
            for each in unsaid(STYLES, judged.reading)
            if not (type == "score" and each["answer_style"] != "letter")
        ]
        fitting = [each for each in remedies if fits(each, strays)]
        if fitting and fitting[0] == {"answer_style": "letter"}:
            fitting = fitting[:1]
        if fitting:
            listed = " or ".join(in_words(each) for each in fitting)
            yield _said(
                strays,
                _field(strays[0]),
                f"{_of(strays, judged)} are no option ({_misnamed(strays)}), and all "
                f"are letters or places of options; {listed} reads them, "
                f"{how('allow', 'invalid')} stores them as invalid",
            )


def _style_strays(judged: Judged, type: str) -> list[Stray]:
    """Return the misfits by name of a type, but texts where a list is asked."""
    return [
        each
        for each in judged.strays.of(NAMED, type)
        if not (type == "multi_select" and each.text is not None)
    ]


def _places_from(judged: Judged) -> Iterator[Said]:
    """Numbers that count from the other end than the style that was asked for."""
    style, tally = judged.reading.answer_style, judged.tally
    other = {"index0": "index1", "index1": "index0"}.get(str(style))
    if other is None or not tally.last_places or tally.has_zero:
        return
    source, line = tally.last_places[0]
    listed = places([(*place, "") for place in tally.last_places])
    what = "as many as there are options, and none is 0"
    if style == "index1":
        what = "0, and none is as many as there are options"
    message = (
        f"some numbers are {what} ({listed}): they count otherwise; "
        f"{how('answer_style', other)} reads them, {how('allow', 'invalid')} stores "
        "these as invalid"
    )
    yield Said(Problem(source, line, "$.answer", message), frozenset(("choice",)))


def _levels(judged: Judged) -> Iterator[Said]:
    """Numbers whose level is not known: of named levels, as text, or counted from 1."""
    if judged.allows_invalid:
        strays = [] if judged.reading.levels else _numerals(judged)
    else:
        strays = _level_strays(judged)
    if not strays:
        return
    fitting = [
        each
        for each in ("from=1", "from=0", "names")
        if each != judged.reading.levels and _fit_levels(each, strays, judged)
    ]
    listed = " or ".join(how("levels", each) for each in fitting)
    many = "from=1" if judged.reading.levels != "from=1" else "from=0"
    remedy = listed or f"{how('levels', many)} or another reading"
    is_named = has_numeral_names(strays[0].options)
    why = (
        "may be a level's name or its number"
        if is_named
        else "may count the levels from 0 or from 1"
    )
    shown = sorted(strays, key=lambda each: (each.source, each.line))
    yield _said(
        shown,
        _field(shown[0]),
        f"{_of(strays, judged)} say a number that {why} ({_misnamed(shown, True)}); "
        f"{remedy} reads them, {how('levels', 'from=0')} with "
        f"{how('allow', 'invalid')} keeps them",
    )


def _numerals(judged: Judged) -> list[Stray]:
    return judged.strays.of((NUMERAL_LEVELS,))


def _level_strays(judged: Judged) -> list[Stray]:
    """Return the rows of ratings whose numbers may mean something else."""
    levels = judged.reading.levels
    strays = judged.strays.of(NAMED, "score")
    if levels is None:
        numerals = _numerals(judged)
        if numerals:
            return numerals
        in_digits = [
            each
            for each in strays
            if (each.given is None and is_numeral(each.text or "") and _is_level(each))
            or (each.keys is not None and all(map(is_numeral, each.keys)))
        ]
        if in_digits and any(
            _fit_levels(each, in_digits, judged) for each in ("from=0", "from=1")
        ):
            return in_digits
    answered = judged.answered.get("score", Answered(0))
    if levels in (None, "from=0") and not answered.has_zero:
        has_first = any(read_place(each.answer) == 0 for each in strays)
        return [] if has_first else [each for each in strays if _is_end(each, 0)]
    if levels == "from=1" and not answered.has_last:
        return [each for each in strays if _is_end(each, -1)]
    return []


def _is_level(stray: Stray) -> bool:
    return 0 <= float(stray.text or "nan") <= len(stray.options)


def _is_end(stray: Stray, end: int) -> bool:
    """Whether a stray says the number just outside: K of K levels, or one below 0."""
    wanted = len(stray.options) if end == 0 else end
    return stray.given is None and read_place(stray.answer) == wanted


def _fit_levels(levels: str, strays: Sequence[Stray], judged: Judged) -> bool:
    """Whether a reading of levels fits all of these rows."""
    if levels == "from=1" and judged.reading.levels is None:
        is_mixed = judged.answered.get("score", Answered(0)).has_zero
        is_only_numerals = all(each.reason == NUMERAL_LEVELS for each in strays)
        if is_mixed and not is_only_numerals:
            return False
    shift = 1 if judged.reading.levels == "from=1" else 0
    return all(_fits_levels(levels, each, shift) for each in strays)


def _fits_levels(levels: str, stray: Stray, shift: int) -> bool:
    count = len(stray.options)
    values: list[object] = [*(stray.keys or [])] or [stray.answer]
    for value in values:
        text = str(as_text(value))
        if levels == "names":
            if text not in stray.options:
                return False
        elif not is_numeral(text):
            return False
        else:
            start = int(levels.removeprefix("from="))
            if not start <= float(text) + shift <= count - 1 + start:
                return False
    return True


def _noul_lists(judged: Judged) -> Iterator[Said]:
    """Hold lists of two, which do not say which is yes."""
    strays = judged.strays.of((NOUL_LIST,))
    if strays:
        n = judged.strays.counts["noul", NOUL_LIST]
        yield _said(
            strays,
            "$.probabilities",
            f"{counted(n, 'list')} of two for yes or no ({_values(strays)}) "
            f"{'does' if n == 1 else 'do'} not say which is yes; "
            f"{how('noul_order', 'yes,no')} or {how('noul_order', 'no,yes')} says it",
        )


def _noul_words(judged: Judged) -> Iterator[Said]:
    """Numbers, or words of which most are neither yes nor no."""
    strays = [
        each
        for each in judged.strays.of(("answer",), "noul")
        if not any(_near(value, each) for value in each.misnamed)
    ]
    numbers = [
        each
        for each in strays
        if each.number is not None or is_numeral(each.text or "")
    ]
    total = judged.strays.n(("answer",), "noul")
    is_most = strays and 2 * len(strays) * total > judged.n("noul") * len(
        judged.strays.of(("answer",), "noul")
    )
    if not (numbers or is_most):
        return
    met = Counter(quoted(each.answer) for each in numbers or strays)
    words = ", ".join(
        f"{word} ({'once' if n == 1 else f'{n} times'})"
        for word, n in met.most_common(WORDS_SHOWN)
    )
    example = as_text((numbers or strays)[0].answer) or "GIVEN"
    yield _said(
        numbers or strays,
        "$.answer",
        f"{_of(numbers or strays, judged)} are neither yes nor no: {words}; say what "
        f"each means with {how('alias', f'{example}=yes')} and the like, "
        f"{how('allow', 'invalid')} stores them as invalid",
    )


def _joined(judged: Judged) -> Iterator[Said]:
    """Texts where a list of options is asked."""
    if judged.reading.split is not None:
        return
    strays = [
        each
        for each in judged.strays.of(("answer",), "multi_select")
        if each.text is not None
    ]
    if not strays:
        return
    fitting = separators([(str(each.text), each.options) for each in strays])
    remedies: list[Remedy] = [{"split": each} for each in fitting[:3]]
    if not remedies:
        styles: tuple[Remedy, ...] = (*STYLES, {"labels": "fold"})
        tried: list[Remedy] = [
            {"split": separator, **style}
            for separator in SEPARATORS
            for style in styles
        ]
        remedies = [each for each in tried if fits(each, strays)][:3]
    listed = " or ".join(map(in_words, remedies))
    yield _said(
        strays,
        "$.answer",
        f"{_of(strays, judged)} are a text where a list of options is asked "
        f"({_misnamed(strays)}); "
        f"{listed or how('split', ',') + ' or another separator'} makes lists of them",
    )


def _subsets(judged: Judged) -> Iterator[Said]:
    """Keys that are some of the options and sum to 1."""
    if judged.reading.partial:
        return
    strays = [
        each
        for each in judged.strays.of(("label_set",))
        if each.keys
        and not each.misnamed
        and len(each.keys) < len(each.options)
        and is_near_one(each.given or (), float)
    ]
    if strays:
        yield _said(
            strays,
            "$.probabilities",
            f"{_of(strays, judged)} have values for some of the options only, and they "
            f"sum to 1; {how('partial', True)} takes the others as 0, "
            f"{how('allow', 'invalid')} stores them as invalid",
        )


GUARDS = (
    _scales,
    _near_labels,
    _styles,
    _levels,
    _noul_lists,
    _noul_words,
    _joined,
    _subsets,
)


def _misfits(judged: Judged, covered: set[str]) -> Iterator[Said]:
    """More than half of a type's answers do not fit: no model's fault."""
    for type in TYPE_WORDS:
        n, total = judged.strays.n(INVALID, type), judged.n(type)
        strays = judged.strays.of(INVALID, type)
        if type in covered or 2 * n <= total or all(map(_is_of_another_kind, strays)):
            continue
        named = [each for each in strays if each.reason in NAMED]
        remedy = best(named, judged.reading) if named else None
        instead = (
            f"{in_words(remedy)} reads most of them, "
            if remedy
            else f"{how('alias', 'GIVEN=LABEL')} translates words, "
        )
        shown = _misnamed(named) if named else _values(strays)
        yield _said(
            strays,
            _field(strays[0]),
            f"{n} of {total} {type} answers do not fit their items ({shown}); is "
            f"{judged.benchmark_id!r} the right benchmark? {instead}"
            f"{how('allow', 'invalid')} stores them as invalid",
        )


def _is_of_another_kind(stray: Stray) -> bool:
    """Whether an answer is true or a list where something else is asked.

    That is a fault of its line, and said as such.
    """
    is_list = stray.labels is not None and stray.type != "multi_select"
    return stray.given is None and (is_list or stray.answer is None)


def _of(strays: Sequence[Stray], judged: Judged) -> str:
    """Return ``5 of 8 choice rows``: of the types that the strays are of."""
    types = sorted({each.type for each in strays})
    total = sum(judged.n(type) for type in types)
    n = len(strays)
    keys = {(each.type, each.reason) for each in strays}
    everything = sum(judged.strays.counts[key] for key in keys)
    kept = sum(1 for each in judged.strays.listed if (each.type, each.reason) in keys)
    if kept < everything and n == kept:
        n = everything
    about = "at least " if kept < everything and n != everything else ""
    of = counted(max(total, n), f"{' and '.join(types)} row")
    return f"{about}{n} of {of}"


def _values(strays: Sequence[Stray]) -> str:
    return places(
        [
            (
                each.source,
                each.line,
                ", ".join(f"{v:.4g}" for v in (each.given or ())[:3]),
            )
            for each in strays
        ]
    )


def _misnamed(strays: Sequence[Stray], numbers: bool = False) -> str:
    listed = []
    for each in strays:
        values = each.named if numbers else (each.misnamed or each.named)
        listed.append((each.source, each.line, quoted(values[0]) if values else ""))
    return places(listed)
