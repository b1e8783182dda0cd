"""Scorings are data: their rules, in seeds and headers, and what follows from them."""

from __future__ import annotations

import ast
import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from building import add_benchmark, add_run, open_to_fill
from commandline import commands, jevdb, rows_of

from jevdb.api.warehouse import Warehouse
from jevdb.base.connection import Connection
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.database import open_reader, upgrade
from jevdb.warehouse.scope_views import program_scorings, rules_of
from jevdb.warehouse.scoring_rules import Rules

CHECKOUT = Path(__file__).parents[1]
SEEDS = asset_folder("seeds") / "scorings.csv"
NAMED_OTHERWISE = {
    ("ingest/benchmark.py", "generic"): "what a new benchmark is scored as",
    ("demonstration/synthetic.py", "cmdb-1500"): "what the made-up benchmark is",
    ("demonstration/demo.py", "jevbench"): "a folder",
    ("ingest/results/records.py", "decision-bench"): "a benchmark",
    ("ingest/layouts/jevbench.py", "jevbench"): "a layout",
    ("ingest/layouts/decision_bench.py", "decision-bench"): "a layout",
    ("commands/ingest.py", "jevbench"): "a layout",
    ("commands/ingest.py", "decision-bench"): "a layout",
}
"""Where Python says the word of a scoring, and what it means there."""

SCOPE = """\
-- acme: one row per report row, subset and item.
select
    benchmark_id,
    'core' as report_row,
    subset,
    item_id
from golden_items
cross join (
    values ('all'), ('index'), ('ece_choice'), ('ece_noul'), ('tvd'), ('pooled')
) as subsets (subset)
where
    scoring = 'acme'
    and case subset
        when 'ece_choice' then type = 'choice'
        when 'ece_noul' then type = 'noul'
        when 'tvd' then type in ('choice', 'noul') and reference_kind is not null
        when 'all' then true
        else type in ('choice', 'noul')
    end
"""

ITEMS: list[dict[str, Any]] = [
    {"item_id": "c1", "type": "choice", "options": ["a", "b"], "gold": "a"},
    {"item_id": "c2", "type": "choice", "options": ["a", "b", "c"], "gold": "b"},
    {"item_id": "n1", "type": "noul", "gold": "yes", "modality": "image"},
    {"item_id": "s1", "type": "score", "options": ["0", "1", "2"], "gold": 2},
    {"item_id": "m1", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]},
]
ANSWERS: list[dict[str, Any]] = [
    {"item_id": "c1", "probabilities": [0.75, 0.25]},
    {"item_id": "c2", "probabilities": [0.5, 0.25, 0.25]},
    {"item_id": "n1", "probabilities": [0.25, 0.75]},
    {"item_id": "s1", "probabilities": [0.25, 0.25, 0.5]},
    {"item_id": "m1", "answer": ["a"]},
]


def seeded() -> list[dict[str, str]]:
    with SEEDS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def names() -> set[str]:
    return {row["scoring"] for row in seeded()}


def test_every_scope_view_of_the_program_has_its_rules():
    assert names() == program_scorings()


def test_no_sql_compares_a_scoring():
    """A scope view says whose it is; nothing else knows one scoring from another."""
    found = {
        path.relative_to(CHECKOUT)
        for path in (CHECKOUT / "sql").rglob("*.sql")
        if path.parent.name != "scopes"
        and any(f"'{name}'" in path.read_text(encoding="utf-8") for name in names())
    }
    assert found == set()


def words_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def decides(node: ast.AST) -> bool:
    kinds = (ast.Compare, ast.Dict, ast.Set, ast.match_case, ast.Subscript)
    return isinstance(node, kinds)


def test_no_python_compares_a_scoring():
    said, compared = set(), set()
    folder = CHECKOUT / "jevdb"
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        place = path.relative_to(folder).as_posix()
        said |= {(place, word) for word in words_of(tree) if word in names()}
        compared |= {
            (place, word)
            for node in ast.walk(tree)
            if decides(node)
            for word in words_of(node)
            if word in names()
        }
    assert said == NAMED_OTHERWISE.keys()
    assert compared == set()


def test_the_usual_rules_are_those_of_the_scoring_one_has_unless_told(
    warehouse: Connection,
):
    assert rules_of(warehouse, "generic").rules == Rules()


def test_the_rules_of_the_seeds(warehouse_path: Path):
    """METRICS.md (scoring scopes) and SCORING.md §3, §4 and §6."""
    rows = {row["scoring"]: row for row in rows_of(warehouse_path, "scopes")}
    rules = {
        name: tuple(row[rule] for rule in ("reference_rule", "tier_rule", "main_ece"))
        for name, row in rows.items()
    }
    assert rules == {
        "cmdb-1500": ("given", "never", "pooled"),
        "jevbench": ("given", "always", "by_type"),
        "decision-bench": ("one_hot", "never", "by_type"),
        "generic": ("given_or_one_hot", "if_all", "by_type"),
    }
    assert {name: row["tvd_types"] for name, row in rows.items()} == {
        "cmdb-1500": ["choice", "noul"],
        "jevbench": ["choice"],
        "decision-bench": ["choice"],
        "generic": ["choice", "noul"],
    }
    assert rows["decision-bench"]["item_types"] == ["choice"]
    assert rows["jevbench"]["title"] == "JevBench"


# --- A copy of generic ----------------------------------------------------------------


@pytest.fixture(scope="module")
def copied(template: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A warehouse in which the help's own example was followed, line by line."""
    folder = tmp_path_factory.mktemp("copied")
    path = folder / "jevdb.duckdb"
    path.write_bytes(template.read_bytes())
    (group,) = [command for words, command in commands() if words == ("scopes",)]
    lines = str(group.epilog).split("\n\n")
    typed = [line for line in lines if "acme.sql" in line]
    assert len(typed) == 2
    python = f"{sys.executable} -c 'from jevdb.cli import main; main()'"
    script = f'set -eo pipefail\njevdb() {{ {python} "$@"; }}\n' + "\n".join(typed)
    environment = {**os.environ, "JEVDB_DB": str(path), "PYTHONPATH": str(CHECKOUT)}
    subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, check=True, timeout=60
    )
    return path.read_bytes()


WORLDS = {
    "no reference, no tier": ITEMS,
    "a reference of the noul item": [
        {**item, "reference": [0.5, 0.5]} if item["type"] == "noul" else item
        for item in ITEMS
    ],
    "a reference of one choice": [
        {**item, "reference": [0.5, 0.5]} if item["item_id"] == "c1" else item
        for item in ITEMS
    ],
    "every item has a tier": [
        {**item, "tier": "easy" if item["item_id"] == "c1" else "hard"}
        for item in ITEMS
    ],
    "no choice item": [item for item in ITEMS if item["type"] != "choice"],
}


def test_a_copy_of_generic_gives_the_same_numbers(copied: bytes, tmp_path: Path):
    path = tmp_path / "jevdb.duckdb"
    path.write_bytes(copied)
    runs = {}
    with open_to_fill(path) as connection:
        for world, items in WORLDS.items():
            asked = {item["item_id"] for item in items}
            rows = [row for row in ANSWERS if row["item_id"] in asked]
            for scoring in ("generic", "acme"):
                benchmark = add_benchmark(connection, items, scoring=scoring)
                runs[add_run(connection, benchmark, rows)] = (world, scoring)
        found = connection.execute(
            "select run_id, report_row, method_id, metric, kind, value, n, n_scope, "
            "reason from report_metrics order by all"
        ).fetchall()
    reports: dict[tuple[str, str], list[Any]] = {key: [] for key in runs.values()}
    for run_id, *row in found:
        reports[runs[run_id]].append(row)
    for world in WORLDS:
        assert reports[world, "acme"] == reports[world, "generic"], world
        metrics = {metric for _, _, metric, *_ in reports[world, "acme"]}
        assert metrics >= {"intelligence", "calibration", "tvd", "rps"}
    # One-hot gold: (0.25 + 0.75) / 2.
    plain = reports["no reference, no tier", "acme"]
    assert {row[4] for row in plain if row[:3:2] == ["overall", "tvd"]} == {0.5}


# --- Rules of one's own ---------------------------------------------------------------


def add(path: Path, folder: Path, text: str, *options: str) -> Any:
    file = folder / "acme.sql"
    file.write_text(text)
    return jevdb(path, "scopes", "add", str(file), *options)


def with_rules(*lines: str) -> str:
    first, rest = SCOPE.split("\n", 1)
    return "\n".join([first, *(f"-- {line}" for line in lines), rest])


def values(connection: Connection, run: str, *metrics: str) -> dict[str, Any]:
    rows = connection.execute(
        "select metric, value from report_metrics where run_id = $run "
        "and method_id = 'metrics-md' and report_row = 'core' and kind = 'all'",
        {"run": run},
    ).fetchall()
    return {metric: value for metric, value in rows if metric in metrics}


CHOSEN = [{**item, "tier": "easy"} for item in ITEMS[:3]]
CHOSEN[0] = {**CHOSEN[0], "tier": "hard", "reference": [0.5, 0.5]}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # c1 alone has a reference: half of 0.25 + 0.25. Every item has a tier: 100 for
        # c1 (hard, 0.4), -50 for c2 (easy, 0.1), 70 together; n1 abstains: 0.
        ([], {"tvd": 0.25, "intelligence": 35.0}),
        # One-hot gold of all three: 0.25, 0.75 and 0.25.
        (["reference_rule = one_hot"], {"tvd": 1.25 / 3, "intelligence": 35.0}),
        # One right of two, chance (1/2 + 1/3) / 2: (1/2 - 5/12) / (7/12) = 1/7.
        (["tier_rule = never"], {"tvd": 0.25, "intelligence": 50 / 7}),
    ],
)
def test_what_a_rule_does(
    warehouse_path: Path, tmp_path: Path, rules: list[str], expected: dict[str, float]
):
    done = add(warehouse_path, tmp_path, with_rules(*rules))
    assert done.exit_code == 0, done.output
    with open_to_fill(warehouse_path) as connection:
        benchmark = add_benchmark(connection, CHOSEN, scoring="acme")
        run = add_run(connection, benchmark, ANSWERS[:3])
        found = values(connection, run, "tvd", "intelligence")
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_types_that_tvd_is_asked_for(warehouse_path: Path, tmp_path: Path):
    """A noul item without a reference is no lack where TVD is not asked of noul."""
    reasons = []
    for types in ("choice, noul", "choice"):
        text = with_rules("reference_rule = given", f"tvd_types = {types}")
        assert add(warehouse_path, tmp_path, text).exit_code == 0
        with open_to_fill(warehouse_path) as connection:
            benchmark = add_benchmark(connection, ITEMS[2:3], scoring="acme")
            run = add_run(connection, benchmark, ANSWERS[2:3])
            reasons += connection.execute(
                "select reason from metric_tvd where run_id = $run "
                "and method_id = 'metrics-md'",
                {"run": run},
            ).fetchall()
    assert reasons == [("no_reference",), ("no_rows",)]


def test_the_main_ece_of_a_report(warehouse_path: Path, tmp_path: Path):
    heads = []
    for kind in ("by_type", "pooled", "noul"):
        text = with_rules(f"main_ece = {kind}")
        assert add(warehouse_path, tmp_path, text).exit_code == 0
        if kind == "by_type":
            with open_to_fill(warehouse_path) as connection:
                benchmark = add_benchmark(connection, ITEMS[:3], scoring="acme")
                add_run(connection, benchmark, ANSWERS[:3])
        shown = jevdb(warehouse_path, "report").stdout
        heads.append(re.findall(r"ECE(?: choice / noul)?", shown)[0])
        line = re.findall(r"core .*", shown)[0]
        numbers = re.sub(r"\[[^]]*\]", "", line).split()
        heads.append(numbers[numbers.index("3") + 4])
    # choice: 0.75 right, 0.5 wrong: (0.25 + 0.5) / 2; noul: 0.75 for yes; pooled:
    # bins 7 (c1 and n1, right) and 5 (c2, wrong): (0.5 + 0.5) / 3.
    assert heads == ["ECE choice / noul", "0.3750", "ECE", "0.3333", "ECE", "0.2500"]


def test_items_are_held_to_the_rules(warehouse_path: Path, tmp_path: Path):
    text = with_rules("tier_rule = always", "item_types = choice, noul")
    assert add(warehouse_path, tmp_path, text).exit_code == 0
    items = tmp_path / "items.jsonl"
    items.write_text(
        '{"item_id": "n1", "type": "noul", "gold": "yes"}\n'
        '{"item_id": "s1", "type": "score", "options": ["0", "1"], "gold": 1, '
        '"tier": "easy"}\n'
    )
    done = jevdb(
        warehouse_path,
        *("ingest", "items", str(items), "--benchmark", "b", "--scoring", "acme"),
    )
    assert done.exit_code == 1
    assert "items.jsonl:1: $.tier: missing; the scoring acme weighs" in done.stderr
    assert (
        "items.jsonl:2: $.type: 'score'; the scoring acme takes every item as choice "
        "or noul"
    ) in done.stderr


def test_options_go_into_the_text(warehouse_path: Path, tmp_path: Path):
    text = with_rules("reference_rule = given", "tier_rule = never")
    given = ("--reference-rule", "one_hot", "--tvd-types", "choice", "--title", "Acme")
    assert add(warehouse_path, tmp_path, text, *given).exit_code == 0
    shown = jevdb(warehouse_path, "scopes", "show", "acme").stdout
    first, rest = SCOPE.split("\n", 1)
    assert shown == "\n".join(
        [
            *(first, "-- tier_rule = never", "-- title = Acme"),
            *("-- reference_rule = one_hot", "-- tvd_types = choice", rest),
        ]
    )
    again = add(warehouse_path, tmp_path, shown)
    assert "version 1, is there already" in again.stderr
    (row,) = [r for r in rows_of(warehouse_path, "scopes") if r["scoring"] == "acme"]
    assert (row["title"], row["reference_rule"]) == ("Acme", "one_hot")
    assert jevdb(warehouse_path, "check").exit_code == 0


def test_the_same_in_python(warehouse_path: Path, tmp_path: Path):
    (tmp_path / "acme.sql").write_text(SCOPE)
    with Warehouse(warehouse_path, read_only=False) as warehouse:
        added = warehouse.add_scope(tmp_path / "acme.sql", tvd_types=["choice"])
        assert added == ("acme", 1, True)
        assert "-- tvd_types = choice\n" in warehouse.scope_sql("acme")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("reference_rule = onehot", "acme.sql:2: reference_rule: 'onehot'; expected"),
        ("tvd_types = choice, score", "acme.sql:2: tvd_types: 'score'; expected"),
        ("tvd_types = choice, choice", "has a word twice"),
        ("tvd_types =", "tvd_types: ''; expected choice or noul"),
        ("reference_rules = given", "did you mean 'reference_rule'?"),
        ("main_ece = all", "main_ece: 'all'; expected by_type or pooled or"),
        ("title =", "acme.sql:2: title: empty"),
        ("title = a\x07", "acme.sql:2: title: expected printable characters"),
    ],
)
def test_rules_that_are_none(
    warehouse_path: Path, tmp_path: Path, line: str, words: str
):
    done = add(warehouse_path, tmp_path, with_rules(line))
    assert done.exit_code == 1, done.output
    assert words in done.stderr
    twice = add(warehouse_path, tmp_path, with_rules("title = a", "title = b"))
    assert "acme.sql:3: title: stated twice; leave one" in twice.stderr
    assert "acme" not in {row["scoring"] for row in rows_of(warehouse_path, "scopes")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--tier-rule", "sometimes"), "--tier-rule: 'sometimes'; expected always or"),
        (("--item-types", "choice,noul,"), "--item-types: ''; expected"),
        (("--title", "a\nselect 1"), "--title: expected one line"),
        (("--title", ""), "--title: empty"),
    ],
)
def test_options_that_are_none(
    warehouse_path: Path, tmp_path: Path, options: tuple[str, ...], words: str
):
    done = add(warehouse_path, tmp_path, SCOPE, *options)
    assert done.exit_code == 2, done.output
    assert words in done.stderr


def test_a_comment_with_an_equals_sign_is_a_comment(
    warehouse_path: Path, tmp_path: Path
):
    done = add(warehouse_path, tmp_path, with_rules("x = what is left of y"))
    assert done.exit_code == 0, done.output


def test_versions_with_other_rules_are_reported_by_their_own(
    warehouse_path: Path, tmp_path: Path
):
    for rule in ("given", "one_hot"):
        text = with_rules(f"reference_rule = {rule}")
        assert add(warehouse_path, tmp_path, text).exit_code == 0
    with open_to_fill(warehouse_path) as connection:
        benchmark = add_benchmark(connection, CHOSEN, scoring="acme")
        add_run(connection, benchmark, ANSWERS[:3])
    # c1 alone has a reference; one-hot, all three: 0.25, 0.75 and 0.25.
    for version, tvd in (("1", 0.25), ("2", 1.25 / 3)):
        asked = ("--scope-version", version)
        (row,) = rows_of(warehouse_path, "report", *asked)
        assert row["tvd"] == pytest.approx(tvd, rel=1e-12)
        query = jevdb(warehouse_path, "explain", "model", "tvd", *asked, "--sql").stdout
        with duckdb.connect(str(warehouse_path), read_only=True) as plain:
            assert plain.execute(query).fetchall() == [(row["tvd"],)]
    both = ("--scope-version", "1", "--scope-version", "2")
    done = jevdb(warehouse_path, "report", *both)
    assert done.exit_code == 2
    assert "the versions 1 and 2 of acme have other rules" in done.stderr


def test_rules_go_through_a_bundle(warehouse_path: Path, tmp_path: Path):
    text = with_rules("reference_rule = one_hot", "title = Acme")
    assert add(warehouse_path, tmp_path, text).exit_code == 0
    assert jevdb(warehouse_path, "backup", str(tmp_path / "bundle")).exit_code == 0
    restored = tmp_path / "restored.duckdb"
    assert jevdb(restored, "restore", str(tmp_path / "bundle")).exit_code == 0
    with open_reader(restored) as connection:
        title, rules = rules_of(connection, "acme")
    assert (title, rules) == ("Acme", Rules(reference_rule="one_hot"))


def test_a_file_from_before_there_were_rules(warehouse_path: Path, tmp_path: Path):
    """Its scorings get what a header leaves out, jevdb's own what the seeds say."""
    assert add(warehouse_path, tmp_path, SCOPE).exit_code == 0
    with open_to_fill(warehouse_path) as connection:
        upgrade(connection, to="0002")
        tables = connection.execute("select table_name from duckdb_tables()").fetchall()
        assert ("scorings",) not in tables
    with open_reader(warehouse_path) as connection:
        assert rules_of(connection, "acme") == ("acme", Rules())
        assert rules_of(connection, "jevbench").rules.tier_rule == "always"
    assert jevdb(warehouse_path, "check").exit_code == 0


def test_a_bundle_with_rules_that_are_none(warehouse_path: Path, tmp_path: Path):
    assert add(warehouse_path, tmp_path, SCOPE).exit_code == 0
    with duckdb.connect(str(warehouse_path)) as connection:
        connection.execute(
            "update scope_versions set sql = '-- tier_rule = x' || chr(10) || sql"
        )
    bundle = str(tmp_path / "bundle")
    assert jevdb(warehouse_path, "backup", bundle).exit_code == 0
    done = jevdb(tmp_path / "restored.duckdb", "restore", bundle)
    assert done.exit_code == 1
    assert "the scoring acme:1: tier_rule: 'x'; expected always" in done.stderr


# --- Type weights ---------------------------------------------------------------------


def test_type_weights_act_on_intelligence_alone(warehouse: Connection):
    """Choice: right, all stated. Noul: P(yes) 0.75 for yes, an abstention.

    I of the frozen method: (0.5 x 100 - 0.25 x 100) / 0.75. C by every method, as
    METRICS.md says: choice 100 (ECE 0, TVD 0), noul 100 (1 - 2 x 0.25), mean 75.
    """
    items = [ITEMS[0], ITEMS[2]]
    rows = [{"item_id": "c1", "probabilities": [1.0, 0.0]}, ANSWERS[2]]
    run = add_run(warehouse, add_benchmark(warehouse, items), rows)
    found = warehouse.execute(
        "select method_id, metric, value from indices where run_id = $run "
        "and report_row = 'overall'",
        {"run": run},
    ).fetchall()
    indices = {(method, metric): value for method, metric, value in found}
    assert {
        method: value for (method, metric), value in indices.items() if metric[0] == "c"
    } == dict.fromkeys(
        [
            *("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen"),
            *("jevals-0.1", "s1mb-1"),
        ],
        75.0,
    )
    frozen = indices["jevbench-v1.5-frozen", "intelligence"]
    assert frozen == pytest.approx(100 / 3, rel=1e-12)
    assert indices["jevbench-v1.5", "intelligence"] == 0.0


def test_type_weights_in_a_comparison_and_an_explanation(warehouse_path: Path):
    """As above; the other run says 1.0 for yes: noul 100, C 100, and I 100."""
    items = [ITEMS[0], ITEMS[2]]
    right = {"item_id": "c1", "probabilities": [1.0, 0.0]}
    with open_to_fill(warehouse_path) as connection:
        benchmark = add_benchmark(connection, items, benchmark_id="b")
        add_run(connection, benchmark, [right, ANSWERS[2]], model="shy")
        sure = {"item_id": "n1", "probabilities": [0.0, 1.0]}
        add_run(connection, benchmark, [right, sure], model="sure")
    frozen = ("--method", "jevbench-v1.5-frozen")
    rows = rows_of(warehouse_path, "compare", "shy", "sure", *frozen)
    compared = {
        row["metric"]: (row["base_value"], row["value"], row["difference"])
        for row in rows
        if row["report_row"] == "overall" and row["kind"] == "all"
    }
    assert compared["calibration"] == (75.0, 100.0, 25.0)
    expected = (100 / 3, 100.0, 200 / 3)
    assert compared["intelligence"] == pytest.approx(expected, rel=1e-12)
    told = jevdb(
        warehouse_path, "explain", "shy", "C", *frozen, "--format", "json"
    ).stdout
    assert '"weight": 1.0' in told
    assert "type_weights" not in told
