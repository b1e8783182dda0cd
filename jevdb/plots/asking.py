"""What a picture is over, and the words that every picture shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.defaults import DEFAULT_METHOD
from jevdb.base.errors import UsageError
from jevdb.base.metrics import BY_NAME, REASONS, Number, decimals
from jevdb.base.text import short_id
from jevdb.base.wording import command, option
from jevdb.scoring.report_text import rounded

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.numerics.binomial import Bounds
    from jevdb.scoring.names import OnChoice
    from jevdb.scoring.runs import Run

INTELLIGENCE = Number("intelligence", "all")
CALIBRATION = Number("calibration", "all")
ACCURACY = Number("accuracy", "all")


class Scored(NamedTuple):
    """How runs are scored: method, report row (the largest unless given), gold."""

    method_id: str = DEFAULT_METHOD
    report_row: str | None = None
    gold_revision: int | None = None


AS_REPORTED = Scored()


def one_benchmark(runs: Sequence[Run]) -> str:
    """Return the benchmark of the runs.

    Raises
    ------
    UsageError
        There are no runs, or they answered several.
    """
    found = sorted({run.benchmark_id for run in runs})
    if not found:
        raise UsageError(
            f"a picture needs at least one run; see {command('runs', 'runs')}"
        )
    if len(found) > 1:
        raise UsageError(
            f"the runs answered {', '.join(found)}: a picture is of one benchmark; "
            f"choose it with {option('benchmark')}"
        )
    return found[0]


def chosen(
    connection: Connection,
    names: Sequence[str],
    benchmark_id: str | None,
    on_choice: OnChoice | None = None,
    *,
    include_private: bool = False,
) -> list[Run]:
    """Return the runs named, or every current public one of the benchmark."""
    from jevdb.comparison.entrants import comparable, public_ones
    from jevdb.scoring.runs import asked_for

    if names:
        found = comparable(connection, names, benchmark_id, on_choice)
        return list(dict.fromkeys(found))
    found = asked_for(connection, (), benchmark_id, on_choice)
    return found if include_private else public_ones(found, "draws", on_choice)


def distinct_names(runs: Sequence[Run]) -> list[str]:
    """Return the names of runs; those that share one have the start of their id too.

    A run that asked every item several times says how often: ``jev x5``.
    """
    names = [
        f"{run.name} x{run.n_repeats}" if run.n_repeats > 1 else run.name
        for run in runs
    ]
    return [
        name if names.count(name) == 1 else f"{name} ({short_id(run.run_id)})"
        for name, run in zip(names, runs, strict=True)
    ]


def title_of(asked: Number) -> str:
    """Return a number's name as documents have it: I, ECE choice, accuracy."""
    heading = BY_NAME[asked.metric].heading
    name = heading if heading.isupper() else asked.metric.replace("_", " ")
    return name if asked.kind == "all" else f"{name} {asked.kind}"


def axis_title(asked: Number) -> str:
    """Return a number's name for an axis, where a turned letter I would be a dash."""
    long = {"I": "intelligence, I", "C": "calibration, C"}
    return long.get(title_of(asked), title_of(asked))


def no_value(reason: str | None) -> str:
    """Return what stands where there is no number, and why."""
    return f"no value: {REASONS.get(reason or '', reason or 'not known')}"


def number_words(
    value: float | None, reason: str | None, interval: Bounds | None, metric: str
) -> str:
    """Return a number with its interval, rounded, or why there is none."""
    if value is None:
        return no_value(reason)
    words = rounded(value, decimals(metric))
    ends = interval_words(interval, metric)
    return f"{words} ({ends})" if ends else words


def interval_words(interval: Bounds | None, metric: str) -> str:
    """Return the ends of an interval, rounded; nothing where there is none."""
    if interval is None or interval.low is None or interval.high is None:
        return ""
    places = decimals(metric)
    return f"{rounded(interval.low, places)} to {rounded(interval.high, places)}"


def scored_words(benchmark: str, row: str, method_id: str) -> str:
    """Return where the numbers of a picture stand."""
    return f"{benchmark}, report row {row}, method {method_id}"
