"""promptfoo: the JSON and JSONL files of `promptfoo eval --output` (docs/formats.md).

A result is one test, put to one provider by one prompt. What it should be is a list of
assertions, not an item, so items come from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from jevdb.ingest.decode.records import Count, Level
from jevdb.ingest.decode.rows import (
    PREDICTION_FIELDS,
    Context,
    Fields,
    RecordLayout,
    Row,
    text_answer,
    typed,
    wrong,
)

ITEM = "item_id"
FAILED = 2
"""The `failureReason` of a test that has no answer; 1 is an assertion that failed."""
PROVIDER = "provider.id"
PROMPT = "promptIdx"
SAYS: dict[str, Any] = {
    "answer": str | Level | float | bool | list[str] | None,
    "probabilities": dict[str, float] | list[float] | None,
}
TOKENS = {"prompt": "input_tokens", "completion": "output_tokens"}


class _Result(NamedTuple):
    """The result of a test and where it lies."""

    body: Mapping[str, object]
    path: str

    def part(self, key: str) -> dict[str, object]:
        """Return one of its objects, empty where there is none."""
        given = self.body.get(key)
        path = f"{self.path}.{key}"
        return {} if given is None else typed(given, dict[str, object], path)

    def item_id(self) -> str:
        """Return the variable `item_id` of the test, else its number, from 0."""
        named = self.part("vars").get(ITEM)
        if named is None:
            path = f"{self.path}.testIdx"
            return str(typed(self.body.get("testIdx"), int, path))
        path = f"{self.path}.vars.{ITEM}"
        is_number = isinstance(named, int) and not isinstance(named, bool)
        return str(named) if is_number else typed(named, str, path)


class Answers(RecordLayout):
    """The answers of one provider to one prompt."""

    name = "promptfoo"
    is_log = True
    row_fields = PREDICTION_FIELDS
    exclusive: ClassVar[tuple[str, ...]] = (PROVIDER, PROMPT)
    keys = frozenset(
        (
            *("evalId", "results", "config", "shareableUrl", "metadata", "vars"),
            *("runtimeOptions", "testIdx", "promptIdx", "promptId", "testCase", "id"),
            *("provider", "prompt", "response", "error", "failureReason", "success"),
            *("score", "latencyMs", "gradingResult", "namedScores", "cost"),
            *("tokenUsage", "description"),
        )
    )

    def recognises(self, first: Fields) -> bool:
        """Whether the record is an evaluation, or one result of it."""
        results = first.get("results")
        is_whole = isinstance(results, dict) and "results" in results
        return is_whole or {"testIdx", "promptIdx", "testCase"} <= first.keys()

    def rows(self, record: Fields, context: Context) -> Iterator[Row]:
        """Yield a row for each result."""
        for result in _results(record):
            if context.is_wanted(result.body):
                yield {**_answered(result, context), "facts": _facts(result)}


def _results(record: Fields) -> Iterator[_Result]:
    whole = record.get("results")
    if whole is None:
        yield _Result(record, "$")
        return
    path = "$.results.results"
    listed = typed(whole, dict[str, object], "$.results").get("results")
    for place, body in enumerate(typed(listed, list[object], path)):
        yield _Result(
            typed(body, dict[str, object], f"{path}[{place}]"), f"{path}[{place}]"
        )


def _facts(result: _Result) -> dict[str, str]:
    path = f"{result.path}.provider.id"
    provider = typed(result.part("provider").get("id"), str, path)
    prompt = typed(result.body.get(PROMPT), int, f"{result.path}.{PROMPT}")
    return {PROVIDER: provider, "requested_name": provider, PROMPT: str(prompt)}


def _answered(result: _Result, context: Context) -> Row:
    item_id = result.item_id()
    row: Row = {"item_id": item_id, **_cost(result)}
    if result.body.get("failureReason") == FAILED:
        error = result.body.get("error") or "no answer"
        path = f"{result.path}.error"
        return {**row, "status": "error", "error": typed(error, str, path)}
    row |= _graded(result)
    output = result.part("response").get("output")
    path = f"{result.path}.response.output"
    if output is None or output == "":
        return row
    if isinstance(output, dict):
        if not output.keys() & SAYS.keys():
            keys = ", ".join(sorted(output)) or "none"
            raise wrong(
                path,
                f"an object without answer or probabilities (its keys: {keys}); say "
                "where they are with --field, from a JSONL file",
            )
        return row | {
            key: typed(output[key], kind, f"{path}.{key}")
            for key, kind in SAYS.items()
            if key in output
        }
    if isinstance(output, str):
        asked = context.items.get(item_id)
        if asked is not None and asked.type == "multi_select":
            return {**row, "answer": [output]}
        return row | text_answer(output, asked)
    return {**row, "answer": typed(output, SAYS["answer"], path)}


def _graded(result: _Result) -> Row:
    """Return promptfoo's own verdict and gold, where equality was all it asked for."""
    path = f"{result.path}.gradingResult.componentResults"
    parts = result.part("gradingResult").get("componentResults")
    listed = typed(parts or [], list[dict[str, object]], path)
    asked = [each["assertion"] for each in listed if "assertion" in each]
    if len(asked) != 1:
        return {}
    match asked[0]:
        case {"type": "equals", "value": str(gold)}:
            pass
        case _:
            return {}
    success = result.body.get("success")
    verdict = success if isinstance(success, bool) else None
    return {"is_correct": verdict, "target": [gold]}


def _cost(result: _Result) -> Row:
    """Return what an answer took. What is 0 was not told, or came from a cache."""
    row: Row = {}
    if result.part("response").get("cached") is not True:
        latency = result.body.get("latencyMs") or 0
        path = f"{result.path}.latencyMs"
        row["latency_s"] = typed(latency, float, path) / 1000 or None
    cost = typed(result.body.get("cost") or 0, float, f"{result.path}.cost")
    row["cost_usd"] = cost or None
    used = result.part("tokenUsage")
    for key, name in TOKENS.items():
        path = f"{result.path}.tokenUsage.{key}"
        row[name] = typed(used.get(key) or 0, Count, path) or None
    return row
