"""The answers of runs as data of a page: small, alike for every reader, sorted quickly.

A page of 1,500 rows as HTML is half a megabyte and slow to sort. Here the items of a
benchmark are one file that all its pages share, and a run adds what it answered: whole
numbers of 1e-5 where a metric has a term, places of options where an answer is one.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from jevdb.base.metrics import BY_NAME, NUMBERS, Number
from jevdb.base.text import visible
from jevdb.site.addresses import slug

if TYPE_CHECKING:
    from jevdb.site.answers import Answer, Answers

TERMS = {
    "confidence": "Confidence",
    "yes_probability": "P(yes)",
    "gold_probability": "P(gold)",
    "rating": "Rating",
    "squared_error": "Brier",
    "total_variation": "TVD",
    "ranked_probability": "RPS",
    "rating_error": "Rating error",
    "f1": "F1",
}
SCALE = 100_000
"""Numbers are told in whole units of 1e-5."""
NONE = -1
"""Stands for no answer, and for a value that is null."""
COUNTED = {
    "items": None,
    "stated": "confidence",
    "proper": "squared_error",
    "compared": "total_variation",
    "rated": "rating_error",
}
"""The term that the rows have which a number averages; None where all rows count."""
STATIC_ROWS = 100
"""Rows of a page for readers without a script."""


def rows_of(number: Number) -> list[str | None]:
    """Return which rows a number averages: its subset, type, and the term they have.

    The last is what is binned, if anything; *leaves_declared* of the metric is told by
    the page of the run.
    """
    metric, scope = BY_NAME[number.metric], number.scope
    return [
        scope.subset or "ece_*",
        None if scope.type == "all" else scope.type,
        COUNTED.get(metric.counted),
        scope.basis,
    ]


def terms_of(answers: Iterable[Answer]) -> list[str]:
    """Return the terms that any of the answers has."""
    listed = list(answers)
    return [
        name
        for name in TERMS
        if any(getattr(answer, name) is not None for answer in listed)
    ]


def items_script(
    answers: Answers, cohorts: Mapping[str, frozenset[str]], chunk: int
) -> bytes:
    """Return the items of a benchmark as a script: what every page of rows shares.

    An item's ``class`` says in which report rows and subsets it counts, and which
    *cohorts* hold it; *chunk* is how many items a page of items has.
    """
    strata = {answer.item_id: answer.stratum for answer in _any_answers(answers)}
    classes: dict[tuple[str | None, tuple[str, ...]], int] = {}
    optioned: dict[tuple[str, ...], int] = {}
    of_item, option_set = [], []
    for item_id, item in answers.items.items():
        held = tuple(key for key, items in cohorts.items() if item_id in items)
        of_item.append(classes.setdefault((strata.get(item_id), held), len(classes)))
        labels = tuple(map(visible, item.options))
        option_set.append(optioned.setdefault(labels, len(optioned)))
    ids = list(answers.items)
    listed = list(answers.items.values())
    found = {
        "ids": [visible(item_id) for item_id in ids],
        "anchors": {
            place: slug(item_id)
            for place, item_id in enumerate(ids)
            if slug(item_id) != item_id
        },
        "chunk": chunk,
        "bins": answers.bins,
        "gold": [visible(item.gold) for item in listed],
        "type": _coded([item.type for item in listed]),
        "properties": {
            name: _coded([getattr(item, name) for item in listed])
            for name in answers.properties
        },
        "options": list(optioned),
        "option_set": option_set,
        "option_count": [item.option_count for item in listed],
        "right": [item.n_right for item in listed],
        "runs": [item.n_runs for item in listed],
        "stated": _joined(_scaled(item.mean_gold_probability) for item in listed),
        "numbers": {
            f"{metric}.{kind}": rows_of(Number(metric, kind))
            for metric, kind in NUMBERS
        },
        "class": of_item,
        "places": [
            sorted(answers.places.get(stratum or "", ())) for stratum, _ in classes
        ],
        "cohorts": [held for _, held in classes],
    }
    return b"window.jevdbItems = " + _json(found) + b";\n"


def run_rows(answers: Sequence[Answer], data: Answers) -> str:
    """Return the answers of a run as JSON that HTML can hold, in the order of items.

    Items that stand in no report row have no answer here.
    """
    place_of = {item_id: place for place, item_id in enumerate(data.items)}
    terms = terms_of(answers)
    places = [place_of[answer.item_id] for answer in answers]
    found = {
        "n": len(answers),
        "item": None if places == list(range(len(places))) else places,
        "status": _coded([_status(answer) for answer in answers]),
        "answer": [_answer(answer, data) for answer in answers],
        "right": "".join("01"[answer.is_right] for answer in answers),
        "bins": {
            "top": _moved([(a.confidence, a.top_bin) for a in answers], data.bins),
            "yes": _moved([(a.yes_probability, a.yes_bin) for a in answers], data.bins),
        },
        "terms": {name: _terms(answers, name) for name in terms},
        "words": [TERMS[name] for name in terms],
    }
    return _json(found).decode().replace("<", "\\u003c")


def rows_table(answers: Sequence[Answer]) -> bytes:
    """Return the answers of a run as a compressed CSV table.

    P(gold) has four digits; the rows as they were stored are in ``jevdb runs dump``.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["item_id", "status", "answer", "is_right", "gold_probability"])
    for answer in answers:
        stated = answer.gold_probability
        table.writerow(
            [
                *(answer.item_id, _status(answer), answer.answer),
                *(int(answer.is_right), "" if stated is None else f"{stated:.4g}"),
            ]
        )
    return gzip.compress(out.getvalue().encode("utf-8", "replace"), mtime=0)


def _any_answers(answers: Answers) -> Sequence[Answer]:
    return next(iter(answers.by_run.values()), ())


def _answer(answer: Answer, data: Answers) -> int | str:
    """Return an answer: the place of its option, -1 for none, or its labels."""
    if answer.answer is None:
        return NONE
    options = data.items[answer.item_id].options
    if answer.answer in options:
        return options.index(answer.answer)
    return visible(answer.answer)


def _coded(values: Sequence[str | None]) -> dict[str, object]:
    """Return values by their places in the list of those there are."""
    known = sorted({value for value in values if value is not None})
    places = {value: place for place, value in enumerate(known)}
    return {
        "values": [visible(value) for value in known],
        "codes": [NONE if value is None else places[value] for value in values],
    }


def _status(answer: Answer) -> str:
    return ", ".join(filter(None, (answer.status, answer.reason)))


def _joined(values: Iterable[int | None]) -> str:
    """Return whole numbers as one string, each behind a comma; null is nothing."""
    return ",".join("" if value is None else str(value) for value in values)


def _moved(
    binned: Sequence[tuple[float | None, int | None]], bins: int
) -> dict[int, int]:
    """Return the bins of the rows that rounding moves into another, by place."""
    return {
        place: own
        for place, (value, own) in enumerate(binned)
        if value is not None
        and own is not None
        and own != min(round(value * SCALE) * bins // SCALE, bins - 1)
    }


def _terms(answers: Sequence[Answer], name: str) -> str:
    """Return a term of every answer; where P(gold) is the confidence, ``=``."""
    if name != "gold_probability":
        return _joined(_scaled(getattr(answer, name)) for answer in answers)
    return ",".join(
        "="
        if answer.gold_probability == answer.confidence is not None
        else _joined([_scaled(answer.gold_probability)])
        for answer in answers
    )


def _scaled(value: float | None) -> int | None:
    return None if value is None else round(value * SCALE)


def _json(found: object) -> bytes:
    return json.dumps(found, ensure_ascii=True, separators=(",", ":")).encode()
