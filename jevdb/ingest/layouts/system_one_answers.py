"""One answer of a System One response, by its type (FORMATS.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from jevdb.ingest.decode.rows import Asked, Row, typed, wrong
from jevdb.ingest.decode.strict import member

BOOLEANS = {"true": "yes", "false": "no"}


class Answer(NamedTuple):
    """One question's answer, and where it lies."""

    question: str
    body: Mapping[str, object]
    path: str


def _noul(answer: Answer, asked: Asked | None) -> Row:
    key = "noul" if "noul" in answer.body else "probability"
    given = answer.body.get(key)
    if given is None:
        return {}
    value = typed(given, float, member(answer.path, key))
    return {"probabilities": {"yes": value}}


def _choice(answer: Answer, asked: Asked | None) -> Row:
    row: Row = {}
    picked = answer.body.get("choice")
    if picked is not None:
        row["answer"] = _label(picked, asked, member(answer.path, "choice"))
    given = answer.body.get("probabilities")
    path = member(answer.path, "probabilities")
    if given is not None:
        row["probabilities"] = _distribution(
            (_label(value, asked, at), p, at) for value, p, at in _pairs(given, path)
        )
    return row


def _score(answer: Answer, asked: Asked | None) -> Row:
    given = answer.body.get("probabilities")
    path = member(answer.path, "probabilities")
    if given is not None:
        levels = ((_level(value, at), p, at) for value, p, at in _pairs(given, path))
        return {"probabilities": _distribution(levels)}
    score = answer.body.get("score")
    if score is None:
        return {}
    return {"answer": typed(score, float, member(answer.path, "score"))}


def _refusal(answer: Answer, asked: Asked | None) -> Row:
    """Return an invalid row: the model did answer, and not the question."""
    said = answer.body.get("refusal") or answer.body.get("reason")
    return {"status": "invalid", "error": "refusal" if said is None else str(said)}


def _pairs(given: object, path: str) -> Iterator[tuple[object, float, str]]:
    """Yield value, probability and place of an object's or a list's entries."""
    if isinstance(given, dict):
        for name, p in given.items():
            at = member(path, name)
            yield name, typed(p, float, at), at
        return
    for place, entry in enumerate(typed(given, list[dict[str, object]], path)):
        at = f"{path}[{place}]"
        if missing := {"value", "probability"} - entry.keys():
            raise wrong(member(at, min(missing)), "missing")
        p = typed(entry["probability"], float, member(at, "probability"))
        yield entry["value"], p, member(at, "value")


def _distribution(entries: Iterable[tuple[str, float, str]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for label, p, at in entries:
        if label in found:
            raise wrong(at, f"a second probability of {label!r}")
        found[label] = p
    return found


def _label(value: object, asked: Asked | None, path: str) -> str:
    """Return an option's name; true and false are yes and no where those are asked."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    text = typed(value, str, path)
    is_noul = asked is not None and asked.type == "noul"
    return BOOLEANS.get(text, text) if is_noul else text


def _level(value: object, path: str) -> str:
    return value if isinstance(value, str) else str(typed(value, int, path))


READ: dict[str, Callable[[Answer, Asked | None], Row]] = {
    "noul": _noul,
    "predicate": _noul,
    "choice": _choice,
    "score": _score,
    "refusal": _refusal,
}
