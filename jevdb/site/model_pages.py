"""The pages of models: all runs and revisions, what changed, what gold did to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from jevdb.base.metrics import Number
from jevdb.comparison.compared_line import verdict_of
from jevdb.numerics.binomial import Bounds
from jevdb.numerics.discordant import LEVEL
from jevdb.scoring.evidence import read_evidence
from jevdb.scoring.keys import Key
from jevdb.scoring.numbers import read_numbers
from jevdb.scoring.selection import Selection, selected
from jevdb.site.boards import RANKED_BY
from jevdb.site.charts import axis_of, scale, strip

if TYPE_CHECKING:
    from jevdb.base.connection import Connection
    from jevdb.scoring.numbers import Value
    from jevdb.scoring.runs import Run
    from jevdb.site.contents import Benchmark, Contents
    from jevdb.site.numbers import Numbers
    from jevdb.site.rendering import Pages


class Told(NamedTuple):
    """A run in the history of its model: I over all items, and what came of it.

    ``change`` is against the run before, and ``verdict`` what is known of it;
    ``by_gold`` are the values by earlier gold revisions that differ.
    """

    run: Run
    date: str
    report_row: str
    value: float | None
    interval: Bounds | None
    change: float | None
    verdict: str | None
    by_gold: list[tuple[int, float | None]]


class Chapter(NamedTuple):
    """The history of a model on one benchmark, intervals drawn on one axis."""

    benchmark: Benchmark
    scale: str
    entries: list[tuple[Told, str]]


def told(
    connection: Connection,
    contents: Contents,
    benchmark: Benchmark,
    own: Numbers,
    intervals: dict[str, Bounds | None],
) -> list[Told]:
    """Return the history of every model on a benchmark, oldest run first.

    *intervals* are known already of the runs of the first board; the others, those of
    models with several runs, are taken here.
    """
    method_id = contents.method_ids[0]
    runs = sorted(
        contents.runs_of(benchmark),
        key=lambda run: (run.model, run.started_at or run.ingested_at, run.seq),
    )
    earlier = _earlier_golds(connection, benchmark, runs, method_id)
    found = []
    for _, group in groupby(runs, key=lambda run: run.model):
        of_model = [
            _told(run, own, earlier, method_id, intervals)
            for run in group
            if own.report_rows(run.run_id)
        ]
        if len(of_model) > 1:
            of_model = _judged(connection, of_model, method_id)
        found += of_model
    return found


def write_models(contents: Contents, history: Sequence[Told], pages: Pages) -> None:
    """Write a page for each model that has a run on the site."""
    by_model: dict[str, list[Told]] = {}
    for each in history:
        by_model.setdefault(each.run.model, []).append(each)
    for model in dict.fromkeys(run.model for run in contents.runs):
        runs = [run for run in contents.runs if run.model == model]
        origins = [contents.origins[run.run_id] for run in runs]
        pages.page(
            contents.model_page(runs[0]),
            "model.html",
            model=model,
            origin=origins[-1],
            runs=[(run, contents.pages(run).front) for run in runs],
            chapters=[
                _chapter(benchmark, of_it)
                for benchmark in contents.benchmarks
                if (
                    of_it := [
                        each
                        for each in by_model.get(model, [])
                        if each.run.benchmark_id == benchmark.benchmark_id
                    ]
                )
            ],
            made_up=all(origin.is_made_up for origin in origins),
            pages=contents.pages,
        )


def _chapter(benchmark: Benchmark, entries: Sequence[Told]) -> Chapter:
    axis = axis_of(
        end
        for each in entries
        for end in (each.value, *(each.interval or (None, None)))
    )
    drawn = [(each, strip(axis, each.value, each.interval)) for each in entries]
    return Chapter(benchmark, scale(axis), drawn)


def _told(
    run: Run,
    own: Numbers,
    earlier: dict[tuple[str, str], list[tuple[int, Value]]],
    method_id: str,
    intervals: dict[str, Bounds | None],
) -> Told:
    report_row = own.report_rows(run.run_id)[0]
    value = own.value((run.run_id, report_row), RANKED_BY, method_id)
    now = value.value if value else None
    return Told(
        run=run,
        date=(run.started_at or run.ingested_at).date().isoformat(),
        report_row=report_row,
        value=now,
        interval=intervals.get(run.run_id),
        change=None,
        verdict=None,
        by_gold=[
            (revision, then.value)
            for revision, then in earlier.get((run.run_id, report_row), [])
            if then.value != now
        ],
    )


def _judged(
    connection: Connection, entries: Sequence[Told], method_id: str
) -> list[Told]:
    """Return the runs of one model with intervals, and verdicts on their changes."""
    selection = Selection(
        run_ids=[each.run.run_id for each in entries], methods=(method_id,)
    )
    with selected(connection, selection):
        evidence = read_evidence(connection, numbers=[RANKED_BY])
    found: list[Told] = []
    before: Told | None = None
    for each in entries:
        if each.value is None:
            found.append(each)
            continue
        key = Key(each.report_row, method_id, *RANKED_BY)
        alone = evidence.alone(key, each.run.run_id, each.value)
        now = each._replace(interval=alone if isinstance(alone, Bounds) else None)
        if before is not None and before.value is not None:
            change = each.value - before.value
            contrast = evidence.difference(
                key, before.run.run_id, each.run.run_id, change
            )
            verdict, _ = verdict_of(RANKED_BY.metric, contrast, None, LEVEL)
            now = now._replace(change=change, verdict=verdict)
        found.append(now)
        before = now
    return found


def _earlier_golds(
    connection: Connection, benchmark: Benchmark, runs: Sequence[Run], method_id: str
) -> dict[tuple[str, str], list[tuple[int, Value]]]:
    """Return I by every earlier gold revision, by run and report row."""
    found: dict[tuple[str, str], list[tuple[int, Value]]] = {}
    run_ids = [run.run_id for run in runs]
    if not run_ids:
        return found
    for (revision,) in connection.execute(
        "select gold_revision from gold_revisions where benchmark_id = $benchmark "
        "and gold_revision < $now order by gold_revision",
        {"benchmark": benchmark.benchmark_id, "now": benchmark.gold_revision},
    ).fetchall():
        selection = Selection(
            run_ids=run_ids, methods=(method_id,), gold_revision=revision
        )
        with selected(connection, selection):
            for each in read_numbers(connection, RANKED_BY.metric):
                if Number(*each.number) == RANKED_BY:
                    place = (each.run_id, each.report_row)
                    found.setdefault(place, []).append((revision, each.value))
    return found
