"""SQL against the oracle on random benchmarks, and the laws every metric obeys."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import compare
import oracle
import pytest
import strategies
import worked
from building import add_benchmark, add_run, open_to_fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from making import copied

from jevdb.base.connection import Connection

EXAMPLES = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
MANY = settings(EXAMPLES, max_examples=30)
CASES = 8
"""Of an example: a report costs the same for so many small runs as for one."""
T = TypeVar("T")


@pytest.fixture(scope="module")
def shared(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """One warehouse for all examples: each adds a benchmark and a run of its own."""
    path = tmp_path_factory.mktemp("properties") / "warehouse.duckdb"
    copied(template, path)
    with open_to_fill(path) as connection:
        yield connection


def several(one: st.SearchStrategy[T]) -> st.SearchStrategy[list[T]]:
    """A list of CASES of them."""
    return st.lists(one, min_size=CASES, max_size=CASES)


def store(connection: Connection, scoring: str, case: strategies.Case) -> str:
    """Store a case and return its run."""
    benchmark = add_benchmark(connection, case.items, scoring=scoring)
    return add_run(
        connection, benchmark, case.predictions, unsupported=case.unsupported
    )


@pytest.mark.parametrize("scoring", strategies.SCORINGS)
@EXAMPLES
@given(data=st.data())
def test_sql_agrees_with_the_oracle(
    shared: Connection, scoring: str, data: st.DataObject
):
    agree_with_the_oracle(shared, scoring, data)


@pytest.mark.long
@pytest.mark.parametrize("scoring", strategies.SCORINGS)
@MANY
@given(data=st.data())
def test_sql_agrees_with_the_oracle_on_many(
    shared: Connection, scoring: str, data: st.DataObject
):
    agree_with_the_oracle(shared, scoring, data)


def agree_with_the_oracle(
    shared: Connection, scoring: str, data: st.DataObject
) -> None:
    cases = data.draw(several(strategies.cases(scoring)))
    runs = [store(shared, scoring, case) for case in cases]
    found = compare.sql_reports(shared, runs)
    for run, case in zip(runs, cases, strict=True):
        for method in oracle.METHODS:
            expected = oracle.report(
                scoring,
                case.items,
                case.predictions,
                method=method,
                unsupported=case.unsupported,
            )
            assert compare.disagreements(found[run, method], expected) == []


# --- Laws -----------------------------------------------------------------------------


class Law(NamedTuple):
    """The range of a metric, and its value for perfect answers, if it has one."""

    lowest: float
    highest: float
    best: float | None


# Options are at most five, so a level is at most four away. -ln(1e-15) is 34.54.
REGISTRY = {
    "accuracy": Law(0, 1, 1),
    "coverage": Law(0, 1, 1),
    "ece": Law(0, 1, 0),
    "tvd": Law(0, 1, 0),
    "rps": Law(0, 1, 0),
    "brier": Law(0, 2, 0),
    "nll": Law(0, 34.54, 0),
    "ordinal_mae": Law(0, 4, 0),
    "multi_select_f1": Law(0, 1, 1),
    "soft_accuracy": Law(0, 1, 1),
    "balanced_accuracy": Law(0, 1, 1),
    "macro_f1": Law(0, 1, 1),
    "conservative_f1": Law(0, 1, None),
    "f1": Law(0, 1, 1),
    "brier_skill": Law(-math.inf, 1, 1),
    "rps_skill": Law(-math.inf, 1, 1),
    "soft_brier": Law(0, 2, 0),
    "soft_rps": Law(0, 1, 0),
    "value_mae": Law(0, 1, 0),
    "mae_skill": Law(-math.inf, 1, 1),
    "chance": Law(0, 1, None),
    "intelligence": Law(-math.inf, 100, 100),
    "calibration": Law(0, 100, 100),
}
COUNTED = ("intelligence", "calibration")
scored_cases = st.sampled_from(strategies.SCORINGS).flatmap(
    lambda scoring: st.tuples(st.just(scoring), strategies.cases(scoring))
)
Drawn = tuple[str, strategies.Case]


def tables_of(connection: Connection, *drawn: Drawn) -> list[compare.Table]:
    runs = [store(connection, scoring, case) for scoring, case in drawn]
    found = compare.sql_reports(connection, runs)
    return [found[run, "metrics-md"] for run in runs]


def numbers_of(
    connection: Connection, drawn: list[Drawn]
) -> Iterator[tuple[str, str, str, oracle.Value]]:
    for table in tables_of(connection, *drawn):
        yield from flat(table)


def flat(table: compare.Table) -> Iterator[tuple[str, str, str, oracle.Value]]:
    for report_row, values in table.items():
        for (metric, kind), value in values.items():
            yield report_row, metric, kind, value


def test_every_metric_is_classified(shared: Connection):
    case = strategies.Case([worked.choice("1")], [], [])
    (table,) = tables_of(shared, ("generic", case))
    assert {metric for _, metric, _, _ in flat(table)} == REGISTRY.keys()


@EXAMPLES
@given(drawn=several(scored_cases))
def test_values_are_within_their_range(shared: Connection, drawn: list[Drawn]):
    for report_row, metric, kind, value in numbers_of(shared, drawn):
        if value.value is not None:
            law = REGISTRY[metric]
            assert law.lowest <= value.value <= law.highest, (report_row, metric, kind)


@EXAMPLES
@given(drawn=several(scored_cases))
def test_a_value_or_a_reason_never_both_never_neither(
    shared: Connection, drawn: list[Drawn]
):
    for report_row, metric, kind, value in numbers_of(shared, drawn):
        place = (report_row, metric, kind)
        assert (value.value is None) == (value.reason is not None), place
        assert 0 <= value.n <= value.n_scope, place
        if metric not in COUNTED:
            assert (value.value is None) == (value.n == 0), place


@EXAMPLES
@given(drawn=several(scored_cases))
def test_no_answers_is_wrong_for_accuracy_and_null_for_calibration(
    shared: Connection, drawn: list[Drawn]
):
    silent = [(scoring, strategies.Case(case.items, [], [])) for scoring, case in drawn]
    zero = {"accuracy", "coverage", "multi_select_f1", "intelligence"}
    by_class = {"balanced_accuracy", "macro_f1", "conservative_f1", "f1"}
    zero |= {"soft_accuracy", *by_class}
    for report_row, metric, kind, value in numbers_of(shared, silent):
        place = (report_row, metric, kind)
        if metric == "chance":
            continue
        if metric not in zero:
            assert value.value is None, place
        elif metric != "intelligence":
            assert value.value in (0, None), place
            assert value.value == 0 or value.n_scope == 0 or metric in by_class, place


def perfect_answer(item: strategies.Record) -> strategies.Record:
    if item["type"] == "multi_select":
        return {"item_id": item["item_id"], "answer": item["gold"]}
    gold = oracle.gold_index(item)
    values = [float(index == gold) for index in range(len(item["options"]))]
    return {"item_id": item["item_id"], "probabilities": values}


@EXAMPLES
@given(drawn=several(scored_cases))
def test_perfect_answers_give_the_best_value(shared: Connection, drawn: list[Drawn]):
    """Probability 1 on gold; without references TVD and C are at their best too."""
    perfect = []
    for scoring, case in drawn:
        items = [item | {"reference": None} for item in case.items]
        rows = [perfect_answer(item) for item in items]
        perfect.append((scoring, strategies.Case(items, rows, [])))
    for report_row, metric, kind, value in numbers_of(shared, perfect):
        best = REGISTRY[metric].best
        if value.value is not None and best is not None:
            assert value.value == best, (report_row, metric, kind)


@EXAMPLES
@given(drawn=several(scored_cases))
def test_answering_the_reference_gives_no_distance(
    shared: Connection, drawn: list[Drawn]
):
    as_said = []
    for scoring, case in drawn:
        rows = [
            {"item_id": item["item_id"], "probabilities": item["reference"]}
            for item in case.items
            if item["reference"] is not None and scoring != "decision-bench"
        ]
        as_said.append((scoring, strategies.Case(case.items, rows, [])))
    for report_row, metric, kind, value in numbers_of(shared, as_said):
        if (metric, kind) == ("tvd", "all"):
            assert value.value in (0, None), report_row


@EXAMPLES
@given(drawn=several(scored_cases), data=st.data())
def test_row_order_changes_no_bit(
    shared: Connection, drawn: list[Drawn], data: st.DataObject
):
    shuffled = [
        (
            scoring,
            strategies.Case(
                data.draw(st.permutations(case.items)),
                data.draw(st.permutations(case.predictions)),
                case.unsupported,
            ),
        )
        for scoring, case in drawn
    ]
    assert tables_of(shared, *drawn) == tables_of(shared, *shuffled)


@EXAMPLES
@given(drawn=several(scored_cases))
def test_doubling_the_data_changes_no_value(shared: Connection, drawn: list[Drawn]):
    doubled = [
        (
            scoring,
            strategies.Case(
                twice(case.items), twice(case.predictions), case.unsupported
            ),
        )
        for scoring, case in drawn
    ]
    of_one = tables_of(shared, *drawn)
    of_two = tables_of(shared, *doubled)
    for first, second in zip(of_one, of_two, strict=True):
        expected = {
            report_row: {
                key: value._replace(n=2 * value.n, n_scope=2 * value.n_scope)
                for key, value in values.items()
            }
            for report_row, values in first.items()
        }
        assert compare.disagreements(second, expected) == []


def twice(rows: list[strategies.Record]) -> list[strategies.Record]:
    return [row | {"item_id": row["item_id"] + copy} for copy in "ab" for row in rows]


@EXAMPLES
@given(drawn=several(scored_cases))
def test_renaming_options_changes_nothing(shared: Connection, drawn: list[Drawn]):
    """Any names where no top is tied; with ties, names in the same code-point order."""
    renamings = [(scoring, renaming(case)) for scoring, case in drawn]
    assert tables_of(shared, *drawn) == tables_of(shared, *renamings)


def renaming(case: strategies.Case) -> strategies.Case:
    kinds = {item["item_id"]: item["type"] for item in case.items}
    tied = any(
        kinds[row["item_id"]] != "score" and has_tied_top(row)
        for row in case.predictions
    )
    rename = prefixed if tied else mirrored
    items = [renamed_item(item, rename) for item in case.items]
    rows = [
        row | {"answer": renamed(row.get("answer"), rename)}
        if kinds[row["item_id"]] != "noul"
        else row
        for row in case.predictions
    ]
    return strategies.Case(items, rows, case.unsupported)


def has_tied_top(row: strategies.Record) -> bool:
    stated = row.get("probabilities")
    if stated is None:
        return False
    distribution = oracle.valid_distribution(stated, len(stated))
    assert distribution is not None
    return distribution.count(max(distribution)) > 1


def prefixed(label: str) -> str:
    return "option " + label


def mirrored(label: str) -> str:
    """Another name; the names' order is turned around."""
    return chr(0x20000 - ord(label[0])) + label


def renamed(value: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return rename(value)
    return [rename(label) for label in value] if isinstance(value, list) else value


def renamed_item(
    item: strategies.Record, rename: Callable[[str], str]
) -> strategies.Record:
    if item["type"] == "noul":
        return item
    return item | {
        "options": renamed(item["options"], rename),
        "gold": renamed(item["gold"], rename),
    }
