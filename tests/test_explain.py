"""`jevdb explain`: what is behind a number adds up to it, and its query returns it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from building import add_benchmark, add_gold_revision, add_run, insert, next_seq
from commandline import FIRST, WORKED, fill, jevdb, rows_of

from jevdb.base.connection import Connection
from jevdb.base.metrics import NUMBERS, Number, number_named
from jevdb.scoring.explain.explain import explain
from jevdb.scoring.explain.number_place import (
    Asked,
    definitions,
    number_query,
    place_of,
)
from jevdb.scoring.runs import all_runs
from jevdb.warehouse.database import open_reader
from jevdb.warehouse.sqlfiles import SqlObject

METHODS = ("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen")
READER = """
import json, sys
import duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
connection.execute("set enable_progress_bar = false")
queries = json.load(sys.stdin)
values = [connection.execute(query).fetchall() for query in queries]
assert not [name for name in sys.modules if name.split(".")[0] in ("jevdb", "numpy")]
print(json.dumps(values))
"""
CHECKOUT = Path(__file__).parents[1]
DUCKDB_CLI = Path(sys.executable).with_name("duckdb")
Key = tuple[str, str, str, Number]


def one_of_each_metric() -> list[Number]:
    """Return a number of every metric, of another kind than that of the one before."""
    by_metric: dict[str, list[Number]] = {}
    for number in NUMBERS:
        by_metric.setdefault(number.metric, []).append(number)
    return [
        numbers[place % len(numbers)]
        for place, numbers in enumerate(by_metric.values())
    ]


SOME = one_of_each_metric()
INDICES = [
    number
    for number in NUMBERS
    if number.metric in ("intelligence", "calibration") and number.kind == "all"
]
EVERY = pytest.param(NUMBERS, id="every number", marks=pytest.mark.long)


def with_duckdb_alone(path: Path, queries: Iterable[str]) -> list[float | None]:
    """Run each query in a process that imports only duckdb; return their values."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", READER, str(path)],
        input=json.dumps(list(queries)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert all(len(rows) == 1 and len(rows[0]) == 1 for rows in found)
    return [rows[0][0] for rows in found]


def stored_numbers(
    path: Path,
) -> tuple[dict[Key, float | None], Callable[[Key], str]]:
    """Return every number of a warehouse, and what gives its self-contained query."""
    with open_reader(path) as connection:
        found = connection.execute(
            "select run_id, report_row, method_id, metric, kind, value "
            "from report_metrics where method_id in (select unnest($methods))",
            {"methods": list(METHODS)},
        ).fetchall()
        runs = {run.run_id: run for run in all_runs(connection)}
        places = {
            (run_id, method): place_of(
                connection, Asked(run, NUMBERS[0], None, method, None)
            )
            for run_id, run in runs.items()
            for method in METHODS
        }
    values = {
        (run_id, report_row, method, Number(metric, kind)): value
        for run_id, report_row, method, metric, kind, value in found
    }

    def query_of(key: Key) -> str:
        run_id, report_row, method, number = key
        return number_query(places[run_id, method], number, report_row)

    return values, query_of


def assert_same(path: Path, values: dict[Key, float | None], queries: dict[Key, str]):
    """Hold what the queries give in a process of their own against the numbers."""
    got = with_duckdb_alone(path, queries.values())
    # Digit for digit: repr tells every double from every other.
    assert {key: repr(value) for key, value in zip(queries, got, strict=True)} == {
        key: repr(values[key]) for key in queries
    }


def test_a_number_of_every_metric_is_returned_by_its_query(demo_path: Path):
    values, query_of = stored_numbers(demo_path)
    first = min(key[0] for key in values)
    main = {
        key: query_of(key)
        for key in values
        if key[1] in ("overall", "hard_111")
        and key[2] == "metrics-md"
        and key[3] in (SOME if key[0] == first else INDICES)
    }
    # One run has a number of every metric, and four have I and C.
    assert len(main) == len(SOME) + 4 * len(INDICES)
    assert_same(demo_path, values, main)


@pytest.mark.long
def test_every_number_in_every_row_by_every_method_too(demo_path: Path):
    values, query_of = stored_numbers(demo_path)
    queries = {key: query_of(key) for key in values}
    # Two runs with two report rows, three with three.
    assert len(queries) == (2 * 2 + 3 * 3) * 3 * len(NUMBERS)
    assert_same(demo_path, values, queries)


def test_a_definition_cites_sections_that_the_documentation_has():
    cited = {view.header.partition("Source: ")[2] for view in definitions_of_all()}
    assert "docs/rules-metrics.md (ECE), docs/rules-scoring.md §3." in cited
    assert "docs/metrics.md §3." in cited
    for source in cited:
        page, *places = re.findall(r"[\w/.-]+\.md|§\d", source)
        for place in places:
            if place.startswith("§"):
                text = (CHECKOUT / page).read_text("utf-8")
                assert f"\n## {place} " in text, (page, place)
            else:
                page = place


def definitions_of_all() -> list[SqlObject]:
    """Return the views that define the numbers."""
    return [view for number in NUMBERS for view in definitions(number)]


def test_the_query_runs_in_the_command_line_client(demo_path: Path, tmp_path: Path):
    done = jevdb(demo_path, "explain", "de-1", "I", "--row", "public_231", "--sql")
    assert done.exit_code == 0, done.output
    file = tmp_path / "i.sql"
    file.write_text(done.stdout)
    command = [str(DUCKDB_CLI), "-readonly", "-json", str(demo_path), "-f", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    # SCORING.md section 8.
    (row,) = json.loads(ran.stdout)
    assert row["value"] == pytest.approx(71.23820749227346, rel=0, abs=1e-12)


def test_the_query_holds_no_temporary_table_and_no_parameter(demo_path: Path):
    query = jevdb(demo_path, "explain", "de-1", "ece_choice", "--sql").stdout
    assert "$" not in query
    assert "temp" not in query.lower()
    # The scoring that applies, and none of the others.
    assert "scope_jevbench as (" in query
    assert "scope_generic" not in query


@pytest.mark.parametrize(
    "numbers", [pytest.param(SOME[::3], id="of every third metric"), EVERY]
)
def test_rows_add_up_to_n_to_the_scope_and_to_the_items_of_the_row(
    demo_path: Path, numbers: Sequence[Number]
):
    with open_reader(demo_path) as connection:
        expected = {
            (run_id, row, Number(metric, kind)): counts
            for run_id, row, metric, kind, *counts in connection.execute(
                "select run_id, report_row, metric, kind, value, n, n_scope "
                "from report_metrics where method_id = 'metrics-md'"
            ).fetchall()
        }
        run = next(r for r in all_runs(connection) if r.model == "synthetic-terse")
        for number in numbers:
            found = explain(connection, Asked(run, number, "text", "metrics-md", None))
            value = found.value
            assert [value.value, value.n, value.n_scope] == expected[
                run.run_id, "text", number
            ]
            averaged = sum(n for is_averaged, _, n in found.fates if is_averaged)
            assert averaged == value.n, number
            assert len(list(found.rows().rows)) == value.n_scope, number
            # METRICS.md: 1,200 text items.
            assert found.n_items == 1200


def test_where_rows_went_by_hand(warehouse: Connection):
    """Of eight items: scope 5 choice; 2 averaged, 3 left out; 3 of other types."""
    items = [
        {"item_id": f"c{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(5)
    ]
    items += [{"item_id": f"n{i}", "type": "noul", "gold": "yes"} for i in range(3)]
    benchmark = add_benchmark(warehouse, items)
    answers = [
        {"item_id": "c0", "probabilities": [0.95, 0.05]},
        {"item_id": "c1", "probabilities": [0.0, 1.0]},
        {"item_id": "c2", "answer": "a"},
        {"item_id": "c3", "status": "invalid", "reason": "sum"},
        {"item_id": "n0", "probabilities": [0.5, 0.5]},
    ]
    add_run(warehouse, benchmark, answers)
    (run,) = all_runs(warehouse)
    found = explain(
        warehouse, Asked(run, Number("ece", "choice"), None, "metrics-md", None)
    )
    assert found.fates == [
        (True, "has a distribution", 2),
        (False, "outside the scope: noul", 3),
        (False, "invalid, sum", 1),
        (False, "label only, no distribution", 1),
        (False, "missing", 1),
    ]
    # SCORING.md section 8: 0.95 right and 1.0 wrong share a bin: abs(0.975 - 0.5).
    assert found.value.value == pytest.approx(0.475, abs=1e-15)
    adds = [row[-1] for row in found.bins.rows if row[3]]
    assert adds == [pytest.approx(0.475, abs=1e-15)]


OF_A_DECLARED = [
    *(number for number in SOME[1::3] if number.kind != "noul"),
    *(number for number in NUMBERS if number.kind == "noul"),
]
MIXED = [
    {"item_id": "c", "type": "choice", "options": ["a", "b"], "gold": "a"},
    {"item_id": "n", "type": "noul", "gold": "yes"},
    {"item_id": "s", "type": "score", "options": ["x", "y", "z"], "gold": 1},
    {"item_id": "m", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]},
]


@pytest.mark.parametrize(
    "numbers",
    [pytest.param(OF_A_DECLARED, id="of a type that is declared"), EVERY],
)
def test_a_declared_type_is_left_out_where_the_metric_leaves_it_out(
    warehouse: Connection, numbers: Sequence[Number]
):
    benchmark = add_benchmark(warehouse, MIXED)
    rows = [{"item_id": "c", "probabilities": [0.75, 0.25]}]
    declared = ["noul", "multi_select"]
    add_run(warehouse, benchmark, rows, unsupported=declared)
    (run,) = all_runs(warehouse)
    for number in numbers:
        found = explain(warehouse, Asked(run, number, None, "metrics-md", None))
        averaged = sum(n for is_averaged, _, n in found.fates if is_averaged)
        assert averaged == found.value.n, number
        assert len(list(found.rows().rows)) == found.value.n_scope, number
    found = explain(
        warehouse, Asked(run, Number("intelligence", "all"), None, "metrics-md", None)
    )
    assert (False, "its type was declared unsupported", 1) in found.fates
    taken = {row[0]: row[-1] for row in found.components.rows}
    assert taken == {"choice": True, "noul": False, "score": True}


@pytest.mark.parametrize("scoring", ["decision-bench", "generic", "cmdb-1500"])
def test_every_scoring_is_explained(warehouse: Connection, scoring: str):
    items = MIXED[:1] if scoring == "decision-bench" else MIXED
    benchmark = add_benchmark(warehouse, items, scoring=scoring)
    add_run(warehouse, benchmark, [{"item_id": "c", "probabilities": [0.75, 0.25]}])
    (run,) = all_runs(warehouse)
    for number in (Number("tvd", "all"), Number("ece", "pooled")):
        found = explain(warehouse, Asked(run, number, None, "metrics-md", None))
        averaged = sum(n for is_averaged, _, n in found.fates if is_averaged)
        assert averaged == found.value.n
    # One-hot gold where there is no reference, but not for CMDB: 1 - 0.75.
    tvd = explain(
        warehouse, Asked(run, Number("tvd", "all"), None, "metrics-md", None)
    ).value
    assert tvd.value == (None if scoring == "cmdb-1500" else 0.25)


def test_tvd_names_the_items_without_a_reference(warehouse: Connection):
    items = [
        {"item_id": "c0", "type": "choice", "options": ["a", "b"], "gold": "a"},
        {"item_id": "c1", "type": "choice", "options": ["a", "b"], "gold": "a"},
    ]
    items[0]["reference"] = [0.75, 0.25]
    benchmark = add_benchmark(warehouse, items)
    row = {"item_id": "c0", "probabilities": [0.5, 0.5]}
    add_run(warehouse, benchmark, [row])
    (run,) = all_runs(warehouse)
    found = explain(warehouse, Asked(run, Number("tvd", "all"), None, METHODS[0], None))
    # Half of 0.25 + 0.25.
    assert found.value.value == 0.25
    assert found.terms == (1, 0.25)
    assert found.fates == [
        (True, "scored", 1),
        (False, "no reference distribution", 1),
    ]


def test_a_pinned_gold_is_in_the_query(warehouse_path: Path, warehouse: Connection):
    items = [
        {"item_id": f"c{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(4)
    ]
    benchmark = add_benchmark(warehouse, items)
    answers = [{"item_id": f"c{i}", "answer": "a"} for i in range(4)]
    add_run(warehouse, benchmark, answers, model="m")
    # Revision 2 says b is right in c0, revision 3 in c1 too: 4, then 3, then 2 of 4.
    add_gold_revision(warehouse, benchmark, 2, [{**items[0], "gold": "b"}])
    add_gold_revision(warehouse, benchmark, 3, [{**items[1], "gold": "b"}])
    warehouse.close()
    queries = [
        jevdb(warehouse_path, "explain", "m", "accuracy", "--sql", *pinned).stdout
        for pinned in (["--gold-revision", "1"], ["--gold-revision", "2"], [])
    ]
    assert with_duckdb_alone(warehouse_path, queries) == [1.0, 0.75, 0.5]


EXPLAINED = ("intelligence", "calibration", "accuracy", "ece_noul", "rps", "coverage")


def test_a_slice_is_explained_and_returned_by_its_query(demo_path: Path):
    rows = rows_of(demo_path, "report", "--run", "de-1", "--by", "tier")
    # METRICS.md: Hard 111 is the hard tier of Public 231.
    (hard,) = [row for row in rows if row["report_row"] == "public_231/hard"]
    assert (hard["n"], hard["accuracy"]) == (111, 72 / 111)
    sliced = ["--by", "tier", "--row", "public_231/hard"]
    done = [
        jevdb(demo_path, "explain", "de-1", name, *sliced, "--sql").stdout
        for name in EXPLAINED
    ]
    assert with_duckdb_alone(demo_path, done) == [hard[name] for name in EXPLAINED]
    told = jevdb(demo_path, "explain", "de-1", "accuracy", *sliced, "--format", "json")
    found = json.loads(told.stdout)
    assert (found["value"], found["n_items"]) == (72 / 111, 111)
    unknown = jevdb(demo_path, "explain", "de-1", "I", *sliced[:-1], "public_231/har")
    assert unknown.exit_code == 2
    assert "did you mean 'public_231/hard'" in unknown.stderr


def test_a_past_number_is_explained_as_of_then(
    warehouse_path: Path, warehouse: Connection
):
    """Three of four right; then one gold is corrected, and a fifth item comes."""
    items = [
        {"item_id": f"c{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(5)
    ]
    benchmark = add_benchmark(warehouse, items[:4])
    answers = [{"item_id": f"c{i}", "answer": "ab"[i == 3]} for i in range(4)]
    add_run(warehouse, benchmark, answers, model="m")
    seq = warehouse.execute("select max(seq) from ingests").fetchall()[0][0]
    add_gold_revision(warehouse, benchmark, 2, [{**items[0], "gold": "b"}])
    late = {"benchmark_id": benchmark, "modality": "text", "item_id": "c4"}
    late |= {"type": "choice", "options": ["a", "b"]}
    insert(warehouse, "items", [{**late, "seq": next_seq(warehouse, "items")}])
    add_gold_revision(warehouse, benchmark, 3, items[4:])
    warehouse.close()
    times = [["--as-of", str(seq)], ["--as-of", str(seq + 1)], []]
    queries = [
        jevdb(warehouse_path, "explain", "m", "accuracy", "--sql", *then).stdout
        for then in times
    ]
    assert with_duckdb_alone(warehouse_path, queries) == [3 / 4, 2 / 4, 2 / 5]
    told = [
        json.loads(
            jevdb(
                *(warehouse_path, "explain", "m", "accuracy", "--format", "json"), *then
            ).stdout
        )
        for then in times
    ]
    assert [(each["value"], each["n_items"], each["as_of"]) for each in told] == [
        (3 / 4, 4, seq),
        (2 / 4, 4, seq + 1),
        (2 / 5, 5, None),
    ]
    pinned = jevdb(
        *(warehouse_path, "explain", "m", "accuracy", "--gold-revision", "2"),
        *("--as-of", str(seq)),
    )
    assert pinned.exit_code == 2
    assert "has no gold revision 2" in pinned.stderr
    text = jevdb(warehouse_path, "explain", "m", "accuracy", "--as-of", str(seq)).stdout
    assert f"as of ingest {seq}" in text
    early = jevdb(warehouse_path, "explain", "m", "accuracy", "--as-of", str(seq - 1))
    assert early.exit_code == 2
    assert "unknown run" in early.stderr


def test_intelligence_shows_its_components_and_their_terms(warehouse_path: Path):
    fill(warehouse_path)
    done = jevdb(warehouse_path, "explain", FIRST, "I", "--format", "json")
    found = json.loads(done.stdout)
    assert found["value"] == pytest.approx(WORKED["intelligence"], abs=1e-12)
    # commandline.WORKED: choice 0, noul 100, score 75, weighed alike.
    assert [
        (row["kind"], row["weight"], row["value"], row["is_taken"])
        for row in found["components"]
    ] == [
        ("choice", 1.0, 0.0, True),
        ("noul", 1.0, 100.0, True),
        ("score", 1.0, 75.0, True),
    ]
    tiers = {row["kind"]: row for row in found["tiers"]}
    assert (tiers["choice"]["n_right"], tiers["choice"]["chance"]) == (1, 0.5)
    assert tiers["noul"]["n_clear"] == 1
    # Expected rating 1.75 of gold 2 over two steps; a guess errs 1/2.
    assert tiers["score"]["rating_error"] == 0.125
    assert tiers["score"]["chance_rating_error"] == 0.5
    assert found["parameters"]["noul_high"] == 0.8


def test_calibration_shows_the_parts_of_each_component(warehouse_path: Path):
    fill(warehouse_path)
    done = jevdb(warehouse_path, "explain", FIRST, "C", "--format", "json")
    parts = [
        (row["kind"], row["part"], row["points"])
        for row in json.loads(done.stdout)["parts"]
    ]
    # commandline.WORKED.
    assert parts == [
        ("choice", "ece", 50.0),
        ("choice", "tvd", 50.0),
        ("noul", "ece", 75.0),
        ("score", "ece", 50.0),
        ("score", "rps", 96.875),
    ]


def test_definition_and_scope_come_from_the_sql_files(demo_path: Path):
    with open_reader(demo_path) as connection:
        run = next(r for r in all_runs(connection) if r.model == "de-1")
        asked = Asked(run, Number("ece", "noul"), "hard_111", "metrics-md", None)
        document = explain(connection, asked).to_json()
        recorded = connection.execute(
            "select sha256 from program where name = 'scope_jevbench'"
        ).fetchall()
    assert document["definition"]["metric_ece"].startswith("metric_ece: one row per")
    assert document["scope"]["sha256"] == recorded[0][0]
    assert "when 'ece_noul' then type = 'noul'" in document["scope"]["sql"]
    # METRICS.md: 38 noul items in Hard 111, each a row.
    assert len(document["items"]) == document["n"] == 38
    assert {row["type"] for row in document["items"]} == {"noul"}


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("I", None, ("intelligence", "all")),
        ("C", "score", ("calibration", "score")),
        ("ece", None, ("ece", "pooled")),
        ("ece_noul", None, ("ece", "noul")),
        ("rps", None, ("rps", "score")),
        ("intelligence_choice", None, ("intelligence", "choice")),
    ],
)
def test_names_of_numbers(text: str, kind: str | None, number: tuple[str, str]):
    assert number_named(text, kind) == number


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["de-1", "acuracy"], "did you mean 'accuracy'"),
        (["de-1", "I", "--row", "hard_11"], "did you mean 'hard_111'"),
        (["de-1", "rps", "--kind", "noul"], "rps has no kind 'noul'"),
        (["de-1", "ece_noul", "--kind", "score"], "is of kind 'noul', not 'score'"),
        (["de-1", "I", "--method", "metrics"], "unknown method"),
        (["de-1", "I", "--gold-revision", "2"], "has no gold revision 2"),
        (["de-2", "I"], "unknown run"),
        (["de-1", "I", "--format", "csv"], "add --items"),
    ],
)
def test_what_there_is_not(demo_path: Path, arguments: list[str], words: str):
    done = jevdb(demo_path, "explain", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr


def test_text_and_markdown_say_the_same(demo_path: Path):
    text = jevdb(demo_path, "explain", "de-1", "rps").stdout
    # SCORING.md section 8: 0.038708203528523145.
    assert "0.038708203528523" in text
    assert "outside the scope: choice" in text
    markdown = jevdb(demo_path, "explain", "de-1", "rps", "--format", "markdown").stdout
    assert markdown.startswith("## rps")
    assert "```sql" in markdown


def test_items_alone_as_rows(demo_path: Path):
    arguments = ["explain", "de-1", "rps", "--items", "--format", "jsonl"]
    lines = jevdb(demo_path, *arguments).stdout.splitlines()
    # METRICS.md: 18 ratings.
    assert len(lines) == 18
    assert all(json.loads(line)["is_averaged"] for line in lines)
