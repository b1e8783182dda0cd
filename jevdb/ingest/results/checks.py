"""Whether the numbers of a published result agree with one another."""

from __future__ import annotations

from collections.abc import Iterator

from jevdb.base.text import counted
from jevdb.ingest.decode.strict import Fault, member
from jevdb.ingest.results.records import (
    BENCHMARK_NAME,
    OVERALL,
    RESULT_V1,
    Result,
    View,
    number,
)

COVERAGE_TOLERANCE = 1e-9
ACCURACY_TOLERANCE = 1e-6
PARTITIONS = ("candidate_count", "domain", "family", "primitive", "task")
SUMMARY = (
    ("supported_accuracy", "accuracy"),
    ("mean_negative_log_likelihood", "mean_negative_log_likelihood"),
    ("expected_calibration_error", "expected_calibration_error"),
    ("mean_latency_seconds", "mean_latency_seconds"),
)
MIN_OPTIONS = 2


def contradictions(result: Result) -> Iterator[Fault]:
    """Yield everything in a result that cannot be, or does not add up."""
    if result.schema_version != RESULT_V1:
        yield Fault("$.schema_version", f"not {RESULT_V1!r}")
    if result.benchmark_name != BENCHMARK_NAME:
        yield Fault("$.benchmark_name", f"not {BENCHMARK_NAME!r}")
    tags = result.tags if isinstance(result.tags, list) else []
    if len(set(tags)) < len(tags):
        yield Fault("$.tags", "a tag stands there twice")
    yield from _counts(result)
    for name, view in result.views.items():
        yield from _view(name, view, result.successful_rows)
    if OVERALL in result.views:
        yield from _overall(result, result.views[OVERALL])
    elif result.successful_rows:
        yield Fault("$.views", f"no view {OVERALL!r}")


def correct_rows(view: View) -> int:
    """Return how many rows of a view are right: accuracy times rows."""
    return round((number(view.accuracy) or 0.0) * view.rows)


def _counts(result: Result) -> Iterator[Fault]:
    parts = (result.successful_rows, result.unsupported_rows, result.error_rows)
    if sum(parts) != result.requested_rows:
        listed = " + ".join(map(str, parts))
        yield Fault(
            "$.requested_rows",
            f"{result.requested_rows}, but successful + unsupported + error rows are "
            f"{listed} = {sum(parts)}",
        )
    coverage = result.successful_rows / result.requested_rows
    if abs(result.coverage - coverage) > COVERAGE_TOLERANCE:
        yield Fault(
            "$.coverage",
            f"{result.coverage!r}, but successful / requested rows is {coverage!r}",
        )
    supported = number(result.supported_accuracy)
    if (supported is None) != (result.successful_rows == 0):
        yield Fault("$.supported_accuracy", "there is one if, and only if, a row is ok")
    primary = (supported or 0.0) * coverage
    if abs(result.primary_accuracy - primary) > ACCURACY_TOLERANCE:
        yield Fault(
            "$.primary_accuracy",
            f"{result.primary_accuracy!r}, but supported accuracy x coverage is "
            f"{primary!r}",
        )


def _view(name: str, view: View, ok_rows: int) -> Iterator[Fault]:
    path = member("$.views", name)
    if view.rows > ok_rows:
        yield Fault(f"{path}.rows", f"{view.rows}, more than {ok_rows} ok rows")
    if number(view.accuracy) is None and view.rows:
        yield Fault(f"{path}.accuracy", "missing, though the view has rows")
    right = (number(view.accuracy) or 0.0) * view.rows
    if abs(right - round(right)) > ACCURACY_TOLERANCE:
        yield Fault(
            f"{path}.accuracy",
            f"x {counted(view.rows, 'row')} is {right!r}, not a whole number of right "
            "answers",
        )
    kind, _, what = name.partition(":")
    if kind == "candidate_count" and option_count(what) is None:
        yield Fault(path, f"{what!r} is no number of candidates")


def option_count(text: str) -> int | None:
    """Return the K of ``candidate_count:K``, or None if it is none."""
    is_number = text.isascii() and text.isdigit() and len(text) < 10  # noqa: PLR2004
    return int(text) if is_number and int(text) >= MIN_OPTIONS else None


def _overall(result: Result, overall: View) -> Iterator[Fault]:
    path = member("$.views", OVERALL)
    if overall.rows != result.successful_rows:
        ok = counted(result.successful_rows, "row is", "rows are")
        message = f"{overall.rows}, but {ok} ok"
        yield Fault(f"{path}.rows", message)
    for name, inside in SUMMARY:
        outer, inner = number(getattr(result, name)), number(getattr(overall, inside))
        if (outer is None) != (inner is None) or (
            outer is not None
            and inner is not None
            and abs(outer - inner) > COVERAGE_TOLERANCE
        ):
            yield Fault(f"$.{name}", f"{outer!r}, but {inner!r} in view {OVERALL!r}")
    for kind in PARTITIONS:
        parts = [
            view
            for name, view in result.views.items()
            if name.startswith(f"{kind}:") and view.rows
        ]
        yield from _partition(kind, parts, overall)


def _partition(kind: str, parts: list[View], overall: View) -> Iterator[Fault]:
    """Hold the views of a kind to the whole; a file may lack a kind altogether."""
    rows = sum(part.rows for part in parts)
    if parts and rows != overall.rows:
        message = f"the {kind} views have {counted(rows, 'row')}, not {overall.rows}"
        yield Fault("$.views", message)
        return
    right = sum(map(correct_rows, parts))
    if parts and right != correct_rows(overall):
        yield Fault(
            "$.views",
            f"the {kind} views have {right} right answers, view {OVERALL!r} "
            f"{correct_rows(overall)}",
        )
