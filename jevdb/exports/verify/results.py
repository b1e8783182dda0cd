"""The claims of an ``evaluation_results.json``: every value, n and n_scope in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jevdb.base.errors import JevdbError
from jevdb.base.metrics import INDICES
from jevdb.base.text import short_id
from jevdb.exports.verify.verify import Claim, Meaning

OF = ("value", "n", "n_scope")


def is_results(document: object) -> bool:
    """Whether a JSON document is one of ours: it has runs and a method."""
    return isinstance(document, dict) and document.keys() >= {
        *("schema_version", "method", "runs")
    }


def results_claims(document: Any, tolerance: float) -> tuple[str, list[Claim]]:
    """Return the method of a results file and its claims.

    Raises
    ------
    JevdbError
        The document does not have the keys that every results file has.
    """
    try:
        claims = [claim for run in document["runs"] for claim in _run(run, tolerance)]
        return str(document["method"]["method_id"]), claims
    except (KeyError, TypeError, AttributeError) as error:
        raise JevdbError(f"no evaluation_results.json: {error!r} is missing") from error


def _run(run: Any, tolerance: float) -> Iterator[Claim]:
    for row, content in run["rows"].items():
        name = f"{run['model']['name']} {short_id(run['run_id'])} {row}"
        meaning = Meaning(run["run_id"], run["benchmark_id"], row)
        for metric, kind, number in _numbers(content):
            mine = meaning._replace(metric=metric, kind=kind)
            for of in OF:
                # What a row has no items of is not a number in the warehouse either.
                if number.get("reason") == "no_rows" and of != "value":
                    continue
                place = f"{name} {metric} {kind} {of}"
                yield Claim(place, number[of], tolerance, mine._replace(of=of))


def _numbers(content: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield metric, kind and number of each value of a report row."""
    for index in INDICES:
        yield index, "all", content[index]
        for kind, number in content[index]["components"].items():
            yield index, kind, number
    for metric, kinds in content["metrics"].items():
        for kind, number in kinds.items():
            yield metric, kind, number
