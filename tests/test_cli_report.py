"""`jevdb report`: the numbers, what stands beside them, and how they look."""

from __future__ import annotations

import json
import math
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest
from building import (
    add_benchmark,
    add_gold_revision,
    add_run,
    insert,
    next_seq,
    open_to_fill,
)
from commandline import (
    ANSWERS,
    FIRST,
    PRIVATE,
    SECOND,
    WORKED,
    add_event,
    add_small_benchmark,
    assert_golden,
    fill,
    jevdb,
    rows_of,
)
from hypothesis import given
from hypothesis import strategies as st

from jevdb.scoring.report_text import rounded

COLUMNS = [
    *(
        "run_id",
        "model",
        "revision",
        "label",
        "benchmark_id",
        "report_row",
        "method_id",
    ),
    *("gold_revision", "n", "accuracy", "intelligence", "calibration", "ece_choice"),
    *("ece_noul", "ece_score", "ece_pooled", "tvd", "rps", "coverage", "reasons"),
    *("accuracy_low", "accuracy_high", "intelligence_low", "intelligence_high"),
]


def test_columns_and_values_of_a_run_worked_out_by_hand(warehouse_path: Path):
    fill(warehouse_path)
    (row,) = rows_of(warehouse_path, "report", "--run", "first")
    assert list(row) == COLUMNS
    assert [row["run_id"], row["report_row"], row["n"]] == [FIRST, "overall", 4]
    assert [row["method_id"], row["gold_revision"]] == ["metrics-md", 1]
    assert row["reasons"] == {}
    # Three of four right: P(Bin(4, 0.1941) >= 3) = P(Bin(4, 0.9937) <= 3) = 0.025. A
    # type of one item says nothing of the spread of I.
    ends = (row["accuracy_low"], row["accuracy_high"])
    assert ends == pytest.approx((0.1941, 0.9937), abs=5e-5)
    assert (row["intelligence_low"], row["intelligence_high"]) == (None, None)
    for name, value in WORKED.items():
        assert math.isclose(row[name], value, rel_tol=1e-12), name


def test_null_has_a_reason(warehouse_path: Path):
    fill(warehouse_path)
    rows = rows_of(warehouse_path, "report", "--run", "third")
    assert rows[0]["ece_choice"] is None
    assert rows[0]["reasons"] == {
        "calibration": "no_probabilities",
        "ece_choice": "no_probabilities",
        "tvd": "no_probabilities",
    }


def test_every_current_run_in_a_stable_order(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        for model, revision, label in [
            *(
                ("b", None, None),
                ("a", "r2", None),
                ("a", None, "x"),
                ("a", None, None),
            ),
            *(("a", "r1", "x"), ("a", "r1", None), ("gone", None, None)),
        ]:
            named = {"model": model, "revision": revision, "label": label}
            run_id = add_run(connection, "small", ANSWERS, **named)
        add_event(connection, run_id, "withdrawn")
    rows = rows_of(warehouse_path, "report")
    assert [(row["model"], row["revision"], row["label"]) for row in rows] == [
        *(("a", None, None), ("a", None, "x"), ("a", "r1", None), ("a", "r1", "x")),
        *(("a", "r2", None), ("b", None, None)),
    ]
    (gone,) = rows_of(warehouse_path, "report", "--run", run_id)
    assert gone["model"] == "gone", "a withdrawn run is reported when it is named"


def test_methods_stand_side_by_side_in_the_order_asked(warehouse_path: Path):
    fill(warehouse_path)
    rows = rows_of(
        warehouse_path,
        *("report", "--run", "first"),
        *("--method", "jevbench-v1.5", "--method", "metrics-md"),
    )
    assert [row["method_id"] for row in rows] == ["jevbench-v1.5", "metrics-md"]
    # The noul component of the small benchmark is 100 by either method.
    assert rows[0]["intelligence"] == rows[1]["intelligence"]
    table = jevdb(
        warehouse_path,
        *("report", "--run", "first"),
        *("--method", "jevbench-v1.5", "--method", "metrics-md"),
    ).stdout
    assert "methods jevbench-v1.5, metrics-md" in table
    assert table.count("  overall  ") == 2


def test_slices_stand_under_their_row(warehouse_path: Path):
    fill(warehouse_path)
    rows = rows_of(warehouse_path, "report", "--run", "first", "--by", "family")
    assert [(row["report_row"], row["n"], row["accuracy"]) for row in rows] == [
        *(("overall", 4, 0.75), ("overall/facts", 2, 0.5), ("overall/tasks", 2, 1.0)),
    ]
    text = jevdb(warehouse_path, "report", "--run", "first", "--by", "family").stdout
    assert [line[:10] for line in text.splitlines()[4:7]] == [
        *("  overall ", "    facts ", "    tasks "),
    ]


def test_a_past_gold_revision(warehouse_path: Path):
    fill(warehouse_path)
    with open_to_fill(warehouse_path) as connection:
        corrected = {"item_id": "c2", "type": "choice", "options": ["a", "b"]}
        add_gold_revision(connection, "small", 2, [{**corrected, "gold": "a"}])
    now = rows_of(warehouse_path, "report", "--run", "first")[0]
    then = rows_of(warehouse_path, "report", "--run", "first", "--gold-revision", "1")[
        0
    ]
    assert [now["gold_revision"], now["accuracy"]] == [2, 1.0]
    assert [then["gold_revision"], then["accuracy"]] == [1, 0.75]
    beyond = jevdb(warehouse_path, "report", "--gold-revision", "3")
    assert beyond.exit_code == 2
    assert beyond.stderr == "error: small has no gold revision 3; its newest is 2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "fist"], "unknown run 'fist'; did you mean 'first'"),
        (["--benchmark", "smal"], "unknown benchmark 'smal'; did you mean 'small'?"),
        (["--method", "metric-md"], "unknown method 'metric-md'; did you mean"),
        (["--run", "first", "--benchmark", "cmdb-1500"], "unknown run 'first'"),
    ],
)
def test_unknown_names_are_usage(
    warehouse_path: Path, arguments: list[str], message: str
):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "report", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.mark.parametrize(
    ("form", "stdout"), [("table", ""), ("markdown", ""), ("json", "[]\n")]
)
def test_nothing_to_report_is_said(warehouse_path: Path, form: str, stdout: str):
    result = jevdb(warehouse_path, "report", "--format", form)
    assert (result.exit_code, result.stdout) == (0, stdout)
    assert "no runs to report" in result.stderr


def test_csv_and_jsonl_have_the_same_columns(warehouse_path: Path):
    fill(warehouse_path)
    lines = jevdb(warehouse_path, "report", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == rows_of(warehouse_path, "report")
    header = jevdb(warehouse_path, "report", "--format", "csv").stdout.splitlines()[0]
    assert header == ",".join(COLUMNS)


def test_text_layout(warehouse_path: Path):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "report")
    assert result.stderr == ""
    assert "\x1b" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 120
    assert_golden("report.txt", result.stdout)


def test_markdown_layout(warehouse_path: Path):
    fill(warehouse_path)
    assert_golden(
        "report.md", jevdb(warehouse_path, "report", "--format", "markdown").stdout
    )


def test_text_shows_the_numbers_rounded_once(warehouse_path: Path):
    fill(warehouse_path)
    line = jevdb(warehouse_path, "report", "--run", "first").stdout.splitlines()[4]
    # 175 / 3 = 58.333..., 198.4375 / 3 = 66.1458...; n of the typed numbers are few.
    assert line.split() == [
        *("overall", "4", "58.33", "66.15", "0.7500", "[0.19,", "0.99]"),
        *("0.2500", "(2)", "/", "0.1250", "(1)", "/", "0.2500", "(1)"),
        *("0.5000", "(2)", "0.0312", "(1)"),
    ]


def test_private_runs_are_reported_and_marked(warehouse_path: Path):
    fill(warehouse_path)
    text = jevdb(warehouse_path, "report").stdout
    assert "third  3c3c3c3c3c3c  private\n" in text
    markdown = jevdb(warehouse_path, "report", "--format", "markdown").stdout
    assert "| third (private) |" in markdown
    assert rows_of(warehouse_path, "report")[-1]["run_id"] == PRIVATE


def test_names_are_data_in_every_format(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="a|b [red]*x*\x1b[31m'; drop--")
    text = jevdb(warehouse_path, "report").stdout
    assert "a|b [red]*x*\\x1b[31m'; drop--" in text
    assert "\x1b" not in text
    markdown = jevdb(warehouse_path, "report", "--format", "markdown").stdout
    assert "a\\|b \\[red\\]\\*x\\*" in markdown
    assert rows_of(warehouse_path, "report")[0]["model"].endswith("\x1b[31m'; drop--")


def test_a_run_that_declares_a_type_unsupported_is_partial(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS[:3], model="p", unsupported=["score"])
        add_run(connection, "small", ANSWERS, model="q")
    partial, whole = rows_of(warehouse_path, "report")
    assert partial["partial"] == ["choice", "noul"]
    assert whole["partial"] is None
    assert partial["reasons"] == {
        "ece_score": "unsupported_type",
        "rps": "unsupported_type",
    }
    assert partial["intelligence"] == 50.0  # (0 + 100) / 2
    text = jevdb(warehouse_path, "report").stdout
    assert "  overall +" in text
    assert "+ partial: I and C are over choice and noul" in text


def test_a_seeded_benchmark_with_items_missing_is_incomplete(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        seq = next_seq(connection, "items")
        benchmark = {"benchmark_id": "cmdb-1500"}
        revision = {**benchmark, "gold_revision": 1, "seq": seq}
        insert(connection, "gold_revisions", [revision])
        item = {**benchmark, "item_id": "c1", "type": "choice", "modality": "text"}
        insert(connection, "items", [{**item, "options": ["a", "b"], "seq": seq}])
        insert(connection, "golds", [{**revision, "item_id": "c1", "label_index": 0}])
        add_run(connection, "cmdb-1500", ANSWERS[:1], model="m")
    rows = rows_of(warehouse_path, "report")
    assert {row["report_row"]: row["incomplete"] for row in rows} == {
        "overall": True,
        "text": True,
    }
    text = jevdb(warehouse_path, "report").stdout
    assert "  overall *" in text
    assert "* incomplete: the items are not those METRICS.md counts" in text


def test_the_main_ece_of_cmdb_is_the_pooled_one(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        items = [
            {"item_id": "c1", "type": "choice", "options": ["a", "b"], "gold": "a"},
            {"item_id": "n1", "type": "noul", "gold": "yes"},
        ]
        add_benchmark(connection, items, scoring="cmdb-1500", benchmark_id="mine")
        answers = [ANSWERS[0], {"item_id": "n1", "probabilities": [0.75, 0.25]}]
        add_run(connection, "mine", answers, model="m")
    text = jevdb(warehouse_path, "report").stdout
    # By top label one of two at 0.75 is right: 0.25; by P(yes) noul would be 0.75.
    assert "ECE choice" not in text
    assert "0.2500" in text.splitlines()[4]
    assert "RPS" not in text, "a column that never applies is left out"


@given(st.floats(-1000, 1000), st.sampled_from([2, 4]))
def test_rounding_is_half_even_on_the_exact_double(value: float, decimals: int):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    assert Decimal(rounded(value, decimals)) == exact


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.125, 2, "0.12"),  # exact ties go to the even digit
        (0.375, 2, "0.38"),
        (2.675, 2, "2.67"),  # the double is a little below
        (-0.001, 2, "0.00"),  # no negative zero
        (None, 4, "N/A"),
    ],
)
def test_rounding_cases(value: float | None, decimals: int, text: str):
    assert rounded(value, decimals) == text


def test_a_second_run_of_one_model_is_named(warehouse_path: Path):
    fill(warehouse_path)
    text = jevdb(warehouse_path, "report", "--run", SECOND[:8]).stdout
    assert "se|cond@r1#greedy  2b2b2b2b2b2b\n" in text
    assert "Coverage" in text.splitlines()[2], "one of four items was answered"


def test_a_file_name_with_a_quote_in_it(warehouse_path: Path):
    quoted = warehouse_path.rename(warehouse_path.with_name('a"b.duckdb'))
    fill(quoted)
    assert jevdb(quoted, "report", "--format", "json").exit_code == 0


@pytest.fixture
def families(warehouse_path: Path) -> Path:
    """Six families of four yes-or-no items that are all right or all wrong."""
    items = [
        {
            **{"item_id": f"n{i:02d}", "type": "noul", "options": ["no", "yes"]},
            **{"gold": "yes", "family": f"f{i // 4}"},
        }
        for i in range(24)
    ]
    rows = [
        {"item_id": item["item_id"], "answer": "yes" if i < 12 else "no"}
        for i, item in enumerate(items)
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        add_run(connection, "b", rows, model="m")
        # As a file that another program wrote may be: golds without their revisions.
        connection.execute("delete from gold_revisions")
    return warehouse_path


@pytest.mark.parametrize(
    "command", [("report",), ("history", "m", "--metric", "accuracy")]
)
def test_intervals_by_cluster(families: Path, command: tuple[str, ...]):
    def ends(*options: str) -> tuple[float, float]:
        (row,) = rows_of(families, *command, *options)
        low = "accuracy_low" if command == ("report",) else "low"
        return row[low], row[low.replace("low", "high")]

    # Clopper and Pearson, 12 of 24 (any table).
    assert ends() == pytest.approx((0.2912, 0.7088), abs=5e-5)
    # A family left out moves the mean by 0.1: V = 5/6 x 6 x 0.01 = 0.05, df = 5, and
    # on the log odds 2.570582 sqrt(0.05) / 0.25 = 2.299198 either way.
    assert ends("--cluster", "family") == pytest.approx((0.09119, 0.90881), abs=5e-6)


def test_a_report_says_what_it_clusters_by(families: Path):
    said = jevdb(families, "report", "--cluster", "family").stdout
    assert "\nIntervals of overall are over 6 clusters by family.\n" in said
    # No item has a group: each is a cluster of its own.
    said = jevdb(families, "report", "--cluster", "group").stdout
    assert "\nIntervals of overall are over 24 clusters by group.\n" in said
    assert "clusters" not in jevdb(families, "report", "--cluster", "none").stdout
    (row,) = rows_of(families, "history", "m", "--cluster", "family")
    assert (row["cluster"], row["n_clusters"]) == ("family", 6)


def test_clusters_that_do_not_vary_have_no_interval(families: Path):
    """Half of every family is right: the jackknife sees no spread: no proof of it."""
    with open_to_fill(families) as connection:
        rows = [
            {"item_id": f"n{i:02d}", "answer": "yes" if i % 4 < 2 else "no"}
            for i in range(24)
        ]
        add_run(connection, "b", rows, model="half")
    asked = ("report", "--run", "half", "--cluster", "family")
    (row,) = rows_of(families, *asked)
    assert (row["accuracy"], row["accuracy_low"], row["accuracy_high"]) == (
        *(0.5, None, None),
    )
    said = jevdb(families, *asked).stdout
    assert "\nAccuracy of overall: no variation: no interval.\n" in said


def test_shares_of_answers_that_do_not_vary_have_an_interval(families: Path):
    """Three of four answers to each of 24 items are right: V = 2 / 24^2, df 200.

    On the log odds ln 3 +- 1.971896 sqrt(V) / 0.1875 = 1.098612 +- 0.619729.
    """
    with open_to_fill(families) as connection:
        rows = [
            {"item_id": f"n{i:02d}", "repeat": k, "answer": "yes" if k < 3 else "no"}
            for i in range(24)
            for k in range(4)
        ]
        add_run(connection, "b", rows, model="often", repeats=4)
    (row,) = rows_of(families, "report", "--run", "often")
    ends = (row["accuracy_low"], row["accuracy_high"])
    assert ends == pytest.approx((0.61747, 0.84791), abs=5e-5)
