"""The interval of I from the tallies: worked values, and the same as from the rows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import strategies
from building import add_benchmark, add_run

from jevdb.base.connection import Connection
from jevdb.numerics.components import choice_slopes, noul_slopes, score_slopes
from jevdb.numerics.moments import Moments, added
from jevdb.scoring.cluster_by import ClusterBy
from jevdb.scoring.differences import Unknown
from jevdb.scoring.evidence import read_evidence
from jevdb.scoring.intervals import from_rows, from_tallies, with_intervals
from jevdb.scoring.report import Request, selected_lines
from jevdb.scoring.report_lines import WITH_INTERVALS, Line
from jevdb.scoring.runs import Run, all_runs
from jevdb.scoring.selection import Selection, selected
from jevdb.warehouse.database import open_reader

METHODS = (
    *("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen"),
    *("jevals-0.1", "s1mb-1"),
)
CLOSE = 1e-12
UNIT = 2**53


def moments(values: Sequence[float], chances: Sequence[float]) -> Moments:
    """The sums as the SQL has them: each addend rounded down to units."""

    def total(each: Iterator[float]) -> int:
        return sum(int(one * UNIT) for one in each)

    pairs = list(zip(values, chances, strict=True))
    return Moments(
        len(pairs),
        total(value for value, _ in pairs),
        total(value * value for value, _ in pairs),
        total(value * chance for value, chance in pairs),
        total(chance for _, chance in pairs),
        total(chance * chance for _, chance in pairs),
    )


def test_squares_of_the_worked_example():
    """INFERENCE.md section 1.3, run A; influences are the z written there times 18."""
    right = moments([1, 1, 0, 0, 1, 0], [0.25, 0.25, 0.25, 0.25, 0.5, 0.5])
    slopes = choice_slopes(right.mean_value, right.mean_chance)
    z = [4.6875, 4.6875, -3.6458333333333, -3.6458333333333, 3.125, -5.2083333333333]
    squares = right.centred_squares(slopes)
    assert squares / 18**2 == pytest.approx(sum(one * one for one in z), rel=1e-12)
    # Four of six are clear: 4 x (100/3)^2 + 2 x (200/3)^2.
    clear = moments([1, 0, 1, 1, 0, 1], [0.5] * 6)
    assert clear.centred_squares(noul_slopes(False)) == pytest.approx(40000 / 3)
    # Mean error 1/3, mean chance error 0.4: -100 (e - 5/6 u) / 0.4, by hand
    # 125/3, 250/3, -62.5, 0, 62.5/3, -250/3; its squares add up to 179687.5/9.
    error = moments([0.25, 0, 0.5, 0.25, 0.25, 0.75], [0.5, 0.4, 0.3, 0.3, 0.4, 0.5])
    by = score_slopes(error.mean_value, error.mean_chance)
    assert error.centred_squares(by) == pytest.approx(179687.5 / 9, rel=1e-12)


def test_values_that_do_not_vary_have_no_squares():
    third = moments([1 / 3] * 7, [0.4] * 7)
    assert third.centred_squares(score_slopes(1 / 3, 0.4)) == pytest.approx(0, abs=1e-9)
    assert third.centred_squares(score_slopes(1 / 3, 0.4)) >= 0


def test_moments_add_up():
    first, second = moments([1, 0], [0.5, 0.25]), moments([1, 1], [0.5, 0.2])
    assert added([first, second]) == moments([1, 0, 1, 1], [0.5, 0.25, 0.5, 0.2])


def items(dice: random.Random, scoring: str) -> list[dict[str, Any]]:
    """Items of every type, tier and modality; some cells have fewer than five."""
    found = []
    kinds = ("choice",) if scoring == "decision-bench" else ("choice", "noul", "score")
    cells = product(kinds, ("easy", "hard", "judge"), ("text", "image"))
    for kind, tier, modality in cells:
        for _ in range(dice.choice([2, 4, 5, 12])):
            k = 2 if kind == "noul" else dice.randint(2, 5)
            options = ["no", "yes"] if kind == "noul" else list("abcde"[:k])
            gold = dice.randrange(k) if kind == "score" else dice.choice(options)
            found.append(
                {
                    "item_id": f"i{len(found):04d}",
                    **{"type": kind, "tier": tier, "modality": modality},
                    **{"options": options, "gold": gold},
                }
            )
    return found


def rows(dice: random.Random, asked: Sequence[dict[str, Any]], share: float):
    """A run that leaves out and fails some items, and answers some by a label alone."""
    for item in asked:
        luck, options = dice.random(), item["options"]
        row = {"item_id": item["item_id"]}
        if luck < share:
            continue
        if luck < 2 * share:
            yield {**row, "status": "invalid"}
        elif luck < 0.3:
            level = item["type"] == "score"
            answer = dice.randrange(len(options)) if level else dice.choice(options)
            yield {**row, "answer": answer}
        else:
            weights = [dice.random() ** 3 + 1e-3 for _ in options]
            yield {**row, "probabilities": [w / sum(weights) for w in weights]}


def lines_and_both(
    connection: Connection, runs: Sequence[Run], by: Any = None
) -> Iterator[tuple[Line, str, Any, Any]]:
    """Each number of each line, with its interval from the tallies and the rows."""
    run_ids = [run.run_id for run in runs]
    selection = Selection(run_ids=run_ids, methods=METHODS, by=by)
    with selected(connection, selection):
        lines = selected_lines(connection, Request(runs=runs, methods=METHODS))
        tallies = from_tallies(connection)
        single = from_rows(read_evidence(connection, ClusterBy.NONE))
        for line, name in product(lines, WITH_INTERVALS):
            if line.numbers[name].value is not None:
                yield line, name, tallies(line, name), single(line, name)


def assert_same(found: Any, expected: Any, where: object) -> None:
    if isinstance(expected, Unknown):
        assert isinstance(found, Unknown) and found.reason == expected.reason, where
    else:
        assert found == pytest.approx(expected, rel=CLOSE, abs=CLOSE), where


@pytest.mark.parametrize("scoring", strategies.SCORINGS)
def test_intervals_from_tallies_are_those_from_rows(
    warehouse: Connection, scoring: str
):
    dice = random.Random(scoring)
    asked = items(dice, scoring)
    benchmark = add_benchmark(warehouse, asked, scoring=scoring)
    for share in (0.0, 0.1):
        add_run(warehouse, benchmark, list(rows(dice, asked, share)))
    choice = [item for item in asked if item["type"] == "choice"]
    partial = list(rows(dice, choice, 0.0))
    add_run(warehouse, benchmark, partial, unsupported=["noul", "score"])
    # A run that is right and sure everywhere: only the plus-two rule varies.
    sure = [
        {"item_id": item["item_id"], "answer": item["gold"]}
        for item in asked
        if item["type"] != "multi_select"
    ]
    add_run(warehouse, benchmark, sure)
    known, unknown = 0, set()
    for by in (None, "tier"):
        for line, name, found, expected in lines_and_both(
            warehouse, all_runs(warehouse), by
        ):
            assert_same(found, expected, (line.run.run_id, line.report_row, name))
            known += not isinstance(found, Unknown)
            unknown |= {found.reason} if isinstance(found, Unknown) else set()
    assert known > 40 and unknown <= {"too_few_items"}


def test_intervals_of_the_demo_are_those_from_rows(demo_path: Path):
    with open_reader(demo_path) as connection:
        by_benchmark: dict[str, list[Run]] = {}
        for run in all_runs(connection):
            by_benchmark.setdefault(run.benchmark_id, []).append(run)
        for runs in by_benchmark.values():
            for line, name, found, expected in lines_and_both(connection, runs):
                assert_same(found, expected, (line.run.run_id, line.report_row, name))


@pytest.mark.parametrize("grouped", [0, 40, 41])
def test_rows_are_read_only_for_clusters(warehouse: Connection, grouped: int):
    """Groups count where every item has one; half of them leave items independent."""
    dice = random.Random(7)
    asked = [
        {"item_id": f"n{i}", "type": "noul", "options": ["no", "yes"], "gold": "yes"}
        for i in range(41)
    ]
    for i, item in enumerate(asked[:grouped]):
        item["group"] = f"g{i // 4}"
    benchmark = add_benchmark(warehouse, asked)
    add_run(warehouse, benchmark, list(rows(dice, asked, 0.0)))
    runs = all_runs(warehouse)
    with selected(warehouse, Selection(methods=METHODS)):
        lines = selected_lines(warehouse, Request(runs=runs, methods=METHODS))
        found = with_intervals(warehouse, lines)
        alone = with_intervals(warehouse, lines, ClusterBy.NONE)
    # Ten groups of four, and one of the item that is left.
    assert {line.clusters for line in found} == {
        "11 clusters by group" if grouped == 41 else ""
    }
    for line, other in zip(found, alone, strict=True):
        for name in WITH_INTERVALS:
            interval = line.interval(name)
            is_same = interval == pytest.approx(other.interval(name), abs=1e-9)
            assert interval is not None and is_same is (grouped < 41)
