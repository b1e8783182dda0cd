"""One registry of metrics: what is computed, shown and exported is what it lists."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import add_benchmark, add_run, open_for_a_test
from commandline import ANSWERS, ITEMS
from making import copied

import jevdb
from jevdb.base.connection import Connection
from jevdb.base.metrics import (
    BY_NAME,
    EVERY_TYPE,
    NUMBERS,
    REGISTRY,
    REPORT_COLUMNS,
    Number,
    number_named,
)
from jevdb.comparison.replicates import METRICS, TALLIES_OF
from jevdb.comparison.tallying import BASES, COUNTS, UNITS
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.sqlfiles import program

PACKAGE, SQL = Path(jevdb.__file__).parent, asset_folder("sql")
NAMES = {*BY_NAME, *(number.name for number in NUMBERS)}
SEVERAL = 3
"""So many metrics side by side are a list of them."""

LISTS = {
    "base/metrics.py": "the registry",
    "comparison/gates/gate_rules.py": "what single rows have, which rules are about",
    "comparison/replicates.py": "what is no mean has a function; a test asks for all",
    "ingest/results/numbers.py": "what a publisher reports, by definitions of its own",
    "site/published.py": "the same",
    "reports/reported_lines.sql": "the same",
    "queries/comparison/leaderboard_reported.sql": "the same",
    "scoring/calibration_depths.py": "columns of another table",
    "scoring/repeats.py": "what is shown of each repeat, and of all together",
    "scoring/report_text.py": "which columns the printed report leaves out, and when",
    "scoring/revision_effects.py": "what a change of gold is told of",
    "reports/report.sql": "the columns of the report, which a test holds",
    "queries/scoring/explain_parts.sql": "what C is the mean of",
    "queries/site/parts.sql": "the same",
    "suites/document.py": "which metrics a constant answer has a value of",
    "suites/classes.py": "which functions of means there are; a test asks for all",
    "site/boards.py": "what a board shows first",
    "metrics/class_metrics.sql": "what is told class by class, at once",
    "metrics/repeat_metrics.sql": "what several answers to an item show, at once",
    "metrics/skills.sql": "losses that are held against a constant, at once",
}
"""Where several metrics may stand side by side, and why."""


SECOND = [
    {"item_id": "n2", "type": "noul", "gold": "no"},
    {"item_id": "s2", "type": "score", "options": ["low", "mid", "high"], "gold": 0},
]
"""A noul and a score with another gold than those of `ITEMS`."""
OF_REPEATS = {
    *("flip_rate", "pass_all", "pass_any", "accuracy_sd", "disagreement"),
}
"""Metrics that runs that asked once have not."""
SET = {"item_id": "m1", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]}
FULL = [*ANSWERS, {"item_id": "m1", "answer": ["a", "b"]}]
LABELS = [
    {"item_id": "c1", "probabilities": [0.75, 0.25]},
    {"item_id": "c2", "answer": "b"},
    {"item_id": "n1", "status": "invalid", "reason": "no_answer"},
    {"item_id": "s1", "answer": 1},
]
"""Some rows with a label alone, one that is not ok, and none for m1."""


@pytest.fixture(scope="module")
def scored(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """A warehouse with two runs, `FULL` and `LABELS`."""
    path = tmp_path_factory.mktemp("metrics") / "metrics.duckdb"
    copied(template, path)
    with open_for_a_test(path) as connection:
        benchmark = add_benchmark(connection, [*ITEMS, *SECOND, SET])
        for name, rows in (("1a" * 32, FULL), ("2b" * 32, LABELS)):
            add_run(connection, benchmark, rows, run_id=name)
        yield connection


def test_what_is_computed_is_what_is_listed(scored: Connection):
    found = scored.execute(
        "select metric, kind, count(*) from report_metrics "
        "where method_id = 'metrics-md' group by all"
    ).fetchall()
    assert {(metric, kind) for metric, kind, _ in found} == {*map(tuple, NUMBERS)}
    assert {count for *_, count in found} == {2}


def test_sql_reads_the_registry_in_a_view(warehouse: Connection):
    rows = warehouse.execute(
        "select metric, kind, subset, type, basis from metric_kinds"
    ).fetchall()
    assert rows == [(*number, *number.scope) for number in NUMBERS]


def test_values_are_inside_their_bounds(scored: Connection):
    values = scored.execute(
        "select metric, value from report_metrics where value is not null"
    ).fetchall()
    assert {metric for metric, _ in values} == BY_NAME.keys() - OF_REPEATS
    for metric, value in values:
        low, high = BY_NAME[metric].bounds
        assert low <= value <= high, metric


@pytest.mark.parametrize(
    "number",
    [number for number in NUMBERS if BY_NAME[number.metric].tally],
    ids=".".join,
)
def test_a_mean_is_over_the_rows_that_have_a_term(number: Number, scored: Connection):
    """The registry's term and what it counts belong together."""
    terms = scored.execute(
        f"select terms.run_id, cast({BY_NAME[number.metric].term} as double) "
        "from terms "
        "inner join frames using (run_id, benchmark_id, rule) "
        "inner join scopes using (benchmark_id, report_row, item_id) "
        "where method_id = 'metrics-md' and subset = ? and ? in ('all', type)",
        [number.scope.subset, number.scope.type],
    ).fetchall()
    found = scored.execute(
        "select run_id, value, n from report_metrics where method_id = 'metrics-md' "
        "and metric = ? and kind = ?",
        [*number],
    ).fetchall()
    assert len(found) == 2
    for run_id, value, n in found:
        listed = [term for run, term in terms if run == run_id and term is not None]
        assert n == len(listed)
        if listed:
            assert value == pytest.approx(math.fsum(listed) / n, rel=1e-15)
        else:
            assert value is None


def test_the_report_has_the_columns_that_the_registry_says(warehouse: Connection):
    columns = [row[0] for row in warehouse.execute("describe report").fetchall()]
    first = columns.index("accuracy")
    names = [number.name for number in REPORT_COLUMNS]
    assert columns[first : first + len(names)] == names


def test_every_metric_has_a_view_that_says_what_it_is():
    views = {item.name for item in program() if item.layer == "metrics"}
    named = {f"metric_{metric.name}" for metric in REGISTRY if not metric.is_index}
    assert views == {*named, "means", "class_metrics", "skills", "repeat_metrics"}


def test_a_mean_adds_nothing_in_a_view_of_its_own():
    bodies = {item.name: item.body for item in program() if item.layer == "metrics"}
    for metric in REGISTRY:
        body = bodies.get(f"metric_{metric.name}", "")
        only = f"select *\nfrom means\nwhere metric = '{metric.name}'"
        assert (body == only) == metric.is_from_means


def test_every_metric_but_those_told_class_by_class_can_be_resampled():
    assert METRICS.keys() == TALLIES_OF.keys()
    assert {name for name in BY_NAME if name not in METRICS} == {
        metric.name for metric in REGISTRY if metric.is_further and not metric.term
    }
    named = {name for names in TALLIES_OF.values() for name in names}
    assert named <= {*COUNTS, *UNITS, *BASES}


@pytest.mark.parametrize("metric", REGISTRY, ids=lambda metric: metric.name)
def test_a_row_of_the_registry_makes_sense(metric):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.name)
    assert metric.main_kind in {"", *metric.kinds}
    assert {*metric.reported, *metric.paged} <= metric.kinds.keys()
    assert set(metric.right_types) <= set(EVERY_TYPE)
    assert metric.bounds[0] < metric.bounds[1]
    assert metric.tally or not metric.is_from_means
    words = (metric.name, metric.averaged_word, *metric.kinds)
    assert "'" not in "".join(words)


@pytest.mark.parametrize("number", NUMBERS, ids=".".join)
def test_a_name_means_its_number(number: Number):
    assert number_named(number.metric, number.kind) == number
    if number.kind != "all":
        assert number_named(f"{number.metric}_{number.kind}") == number


def lists_of_metrics() -> Iterator[tuple[str, int, set[str]]]:
    """Yield where several metrics stand side by side, in Python and in SQL."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
                listed = {
                    each.value
                    for each in ast.walk(node)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
                yield path.relative_to(PACKAGE).as_posix(), node.lineno, listed & NAMES
    for path in SQL.rglob("*.sql"):
        code = re.sub("--.*", "", path.read_text(encoding="utf-8"))
        listed = set(re.findall(r"'([a-z0-9_]+)'", code)) & BY_NAME.keys()
        yield path.relative_to(SQL).as_posix(), 1, listed


def test_there_is_no_second_list_of_metrics():
    """What a metric is stands in its row of the registry, and nowhere else."""
    found = [each for each in lists_of_metrics() if len(each[2]) >= SEVERAL]
    assert [each for each in found if each[0] not in LISTS] == []
    assert {place for place, *_ in found} == LISTS.keys()
