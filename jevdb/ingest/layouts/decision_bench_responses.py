"""What a Decision Bench response itself says, before Decision Bench rescaled it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from jevdb.ingest.layouts.decision_bench_records import Example

TOLERANCE = 1e-9
TOKEN_NAMES = {
    "input": ("input_tokens", "prompt_tokens"),
    "output": ("output_tokens", "completion_tokens"),
}


def as_returned(
    example: Example, response: object, scored: Sequence[float]
) -> list[float] | None:
    """Return the response's distribution in candidate order, or None.

    Decision Bench divides by the sum, whatever it is. A vector found in the response is
    taken only if it gives the scored one when divided by its own sum: nothing else in a
    response can then be mistaken for it.
    """
    for found in _candidates(example, response):
        total = sum(found)
        if len(found) == len(scored) and total > 0:
            distances = (abs(a / total - b) for a, b in zip(found, scored, strict=True))
            if max(distances) <= TOLERANCE:
                return found
    return None


def _candidates(example: Example, response: object) -> Iterator[list[float]]:
    if not isinstance(response, dict):
        return
    answer = _inside(response, "answers", "decision")
    if isinstance(answer, dict):
        yield from _numbers(_typed(example, answer))
    yield from _numbers(response.get("probabilities"))
    yield from _numbers(_in_message(response))


def _inside(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _numbers(found: object) -> Iterator[list[float]]:
    if isinstance(found, list) and all(type(each) in (int, float) for each in found):
        yield [float(each) for each in found]


def _typed(example: Example, answer: Mapping[str, object]) -> object:
    """Return a System One answer in candidate order; candidate 0 is what yes means."""
    yes = answer.get("noul")
    if type(yes) in (int, float):
        return [yes, 1.0 - yes]  # type: ignore[operator]
    given = answer.get("probabilities")
    if not isinstance(given, dict):
        return None
    ids = [candidate.id for candidate in example.candidates]
    if given.keys() == set(ids):
        return [given[each] for each in ids]
    values = {c.id: c.ordinal_value for c in example.candidates}
    if not all(isinstance(value, float) for value in values.values()):
        return None
    upwards = sorted(ids, key=values.__getitem__)  # type: ignore[arg-type]
    return [given.get(str(upwards.index(each))) for each in ids]


def _in_message(response: Mapping[str, object]) -> object:
    """Return the probabilities a chat model wrote as JSON."""
    choices = response.get("choices")
    if not isinstance(choices, list) or not choices:
        return None
    content = _inside(choices[0], "message", "content")
    if not isinstance(content, str):
        return None
    try:
        return _inside(msgspec.json.decode(content), "probabilities")
    except (msgspec.MsgspecError, RecursionError):
        return None


def token_count(response: object, kind: str) -> int | None:
    """Return the response's own count of ``input`` or ``output`` tokens."""
    usage = _inside(response, "usage")
    for name in TOKEN_NAMES[kind]:
        count = _inside(usage, name)
        if type(count) is int and count >= 0:
            return count
    return None


def resolved_model(response: object) -> str | None:
    """Return the model the provider says it used."""
    name = _inside(response, "model")
    return name if isinstance(name, str) else None
