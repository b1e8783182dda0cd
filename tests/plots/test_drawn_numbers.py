"""What a picture shows is what the reports say: the same doubles."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_gold_revision, add_run
from commandline import FIRST, fill, jevdb, rows_of
from made_up import depths, no_depth, profiles, run, used

from jevdb.base.connection import Connection
from jevdb.base.errors import JevdbError, UnknownNameError, UsageError
from jevdb.base.installing import to_install
from jevdb.base.metrics import number_named
from jevdb.comparison.cohorts import Asked, Rule
from jevdb.comparison.compare_request import Request
from jevdb.plots import (
    Picture,
    Scored,
    history,
    indices,
    profile,
    read_depths,
    read_history,
    read_measures,
    read_profile,
    read_usage,
    read_won_lost,
    reliability,
    risk_coverage,
    usage,
    won_lost,
)
from jevdb.plots.asking import INTELLIGENCE
from jevdb.plots.depths import RunDepth
from jevdb.plots.latency_cost import Usage, Used
from jevdb.plots.measures import ordered
from jevdb.plots.theme import BLUE, FAINT
from jevdb.scoring.calibration_depths import Bin
from jevdb.scoring.runs import asked_for
from jevdb.warehouse.database import open_reader

REAL = "jevbench-public-231"
MADE_UP = "cmdb-1500-synthetic"
METHOD = "metrics-md"


@pytest.fixture
def demo(demo_path: Path) -> Iterator[Connection]:
    with open_reader(demo_path) as connection:
        yield connection


def drawn(picture: Picture, *fields: str) -> list[tuple[Any, ...]]:
    """Return these fields of every row of data in a specification that has them."""
    found: list[tuple[Any, ...]] = []

    def visit(part: Any) -> None:
        if isinstance(part, dict):
            for row in part.get("data", {}).get("values", []):
                if all(field in row for field in fields):
                    found.append(tuple(row[field] for field in fields))
            for inner in part.values():
                visit(inner)
        if isinstance(part, list):
            for inner in part:
                visit(inner)

    visit(picture.spec)
    return list(dict.fromkeys(found))


def table_of(picture: Picture) -> list[dict[str, Any]]:
    columns = picture.table.columns
    return [dict(zip(columns, row, strict=True)) for row in picture.table.plain()]


def test_reliability_has_the_bins_and_the_band_of_the_calibration(
    demo: Connection, demo_path: Path
):
    runs = asked_for(demo, [], REAL)
    picture = reliability(read_depths(demo, runs), METHOD)
    told = [
        row
        for run in runs
        for row in rows_of(demo_path, "calibration", run.run_id)
        if row["kind"] in ("choice", "noul", "score")
    ]
    assert len(told) == 6
    expected = [
        (each["mean_stated"], each["share_true"], each["n"])
        for row in told
        for each in row["bins"]
        if each["n"]
    ]
    assert drawn(picture, "stated", "true", "n") == list(dict.fromkeys(expected))
    table = table_of(picture)
    assert len(table) == 60
    for row, first in zip(told, table[::10], strict=True):
        assert first["run_id"] == row["run_id"][:12]
        for name in ("kind", "ece", "n", "n_scope", "null_low", "null_high"):
            assert first[name] == row[name]
    empty = [row for row in table if row["bin_n"] == 0]
    assert {row["note"] for row in empty} == {"no value: no row in this bin"}
    # The titles: ECE and the band, rounded as `jevdb calibration` rounds them.
    de_1 = told[0]
    band = f"chance {de_1['null_low']:.4f} to {de_1['null_high']:.4f}"
    assert f"ECE {de_1['ece']:.4f}; {band}; n 67." in picture.description


def test_five_equal_answers_draw_the_whiskers_of_one(warehouse: Connection):
    """The dots, their intervals and the share of a bin are as if each was asked once.

    Ten items at 0.8, seven right: Wilson of 7 in 10 is 0.3968 to 0.8922; of 35 in 50,
    as if answers were items, it would be 0.5625 to 0.8090.
    """
    items = [
        {"item_id": f"n{place}", "type": "noul", "gold": "yes" if place < 7 else "no"}
        for place in range(10)
    ]
    name = add_benchmark(warehouse, items)
    for model, repeats in (("once", 1), ("often", 5)):
        rows = [
            {**item, "repeat": repeat, "probabilities": [0.2, 0.8]}
            for item in items
            for repeat in range(repeats)
        ]
        add_run(warehouse, name, rows, model=model, repeats=repeats)
    runs = asked_for(warehouse, [], name)
    picture = reliability(read_depths(warehouse, runs), METHOD)
    ends = dict.fromkeys(drawn(picture, "run", "n", "low", "high"))
    assert {each[:2] for each in ends} == {("once", 10), ("often x5", 50)}
    for _, _, low, high in ends:
        assert (low, high) == pytest.approx((0.3968, 0.8922), abs=5e-5)
    filled = [row for row in table_of(picture) if row["bin_n"]]
    held = {(row["bin_n"], row["occupancy"]) for row in filled}
    assert held == {(10, 1.0), (50, 1.0)}


def marks_of(picture: Picture, mark: str) -> list[list[dict[str, Any]]]:
    """Return the rows of every layer of this mark."""
    found: list[list[dict[str, Any]]] = []

    def visit(part: Any) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("mark"), dict) and part["mark"]["type"] == mark:
                found.append(part["data"]["values"])
            for inner in part.values():
                visit(inner)
        if isinstance(part, list):
            for inner in part:
                visit(inner)

    visit(picture.spec)
    return found


def test_bins_of_nine_are_pale_and_unjoined_and_bins_of_ten_are_not():
    bins = [
        Bin(place, place / 10, (place + 1) / 10, n, (place + 0.5) / 10, 0.0, n / 49)
        for place, n in ((0, 10), (1, 9), (2, 20), (3, 10))
    ]
    [depth] = depths(1, ("noul",))[0].depths
    for items, strengths, joined in (
        (None, [1, 0.35, 1, 1], [(0.05, 1), (0.25, 2), (0.35, 2)]),
        # Twenty answers to four items say as much as four.
        ([10, 9, 4, 10], [1, 0.35, 0.35, 1], [(0.05, 1), (0.35, 2)]),
    ):
        found = depth._replace(bins=bins, bin_items=items)
        picture = reliability([RunDepth(run(0), "overall", [found])], METHOD)
        [dots] = marks_of(picture, "point")
        assert [dot["strength"] for dot in dots] == strengths
        [_, [*line]] = marks_of(picture, "line")
        assert [(dot["stated"], dot["stretch"]) for dot in line] == [
            (pytest.approx(stated), stretch) for stated, stretch in joined
        ]
        [whiskers] = marks_of(picture, "rule")
        assert [each["faintness"] for each in whiskers] == [
            0.55 * strength for strength in strengths
        ]
        # Wilson of 0 in 9: the upper end is 3.8415 / (9 + 3.8415).
        assert whiskers[1]["high"] == pytest.approx(0.29915, abs=5e-6)


def test_diagrams_of_eleven_runs_lie_over_each_other():
    """The eight bins of each run that hold rows; the second run states nothing.

    The bin around 0.75 of run k holds 1234 rows, of which 7.5 * 1234 *
    (0.08 - k / 1000) are true: 740 of the first, 648 (647.85) of the eleventh.
    """
    found = depths(11, ("choice", "noul"))
    picture = reliability(found, METHOD)
    greys, dashes, blues, *_ = marks_of(picture, "line")
    assert len({dot["line"] for dot in greys}) == 9 and len(greys) == 9 * 8
    assert {dot["kind"] for dot in greys} == {"choice"} and len(dashes) == 2
    assert {dot["run"] for dot in blues} == {"tiny@r0"} and len(blues) == 8
    [first] = [dot["true"] for dot in blues if dot["n"] == 1234]
    last = [dot["true"] for dot in greys if dot["n"] == 1234][-1]
    assert (first, last) == (740 / 1234, 648 / 1234)
    assert len(table_of(picture)) == 11 * 2 * 10
    texts = [text for (text,) in drawn(picture, "text")]
    # The ECE of the eleventh in the list: 0.0832 and ten hundredths.
    assert "0.1832" in texts and "2 diagrams of ten bins" in picture.alt
    assert len(marks_of(picture, "bar")) == 2
    assert len(marks_of(reliability(found[:10], METHOD), "bar")) == 20


def test_where_the_first_run_has_no_items_the_others_are_drawn():
    [alone, *others] = depths(12, ("choice", "noul"))
    picture = reliability([alone._replace(depths=alone.depths[:1]), *others], METHOD)
    assert "tiny@r0: no items" in str(picture.spec)
    greys = [rows for rows in marks_of(picture, "line") if "line" in (rows or [{}])[0]]
    assert [len(rows) for rows in greys] == [10 * 8, 10 * 8]
    silent = [each._replace(depths=[no_depth("noul")]) for each in [alone, *others]]
    assert marks_of(reliability(silent, METHOD), "point") == [[], []]


def test_indices_are_those_of_the_report(demo: Connection, demo_path: Path):
    picture = indices(read_measures(demo, asked_for(demo, [], MADE_UP)))
    report = rows_of(demo_path, "report", "--benchmark", MADE_UP)
    overall = [row for row in report if row["report_row"] == "overall"]
    assert len(overall) == 3
    points = drawn(picture, "run", "x", "y")
    assert sorted(points) == sorted(
        (row["model"], row["intelligence"], row["calibration"]) for row in overall
    )
    board = rows_of(
        *(demo_path, "leaderboard", "--benchmark", MADE_UP, "--cohort", "own"),
        *("--least-share", "0"),
    )
    ends = {row["model"]: (row["low"], row["high"]) for row in board}
    assert {
        row["run"]: (row["low"], row["high"])
        for row in table_of(picture)
        if row["metric"] == "intelligence"
    } == ends


def test_what_has_no_value_is_said_and_is_nowhere_zero(demo: Connection):
    picture = indices(read_measures(demo, asked_for(demo, [], REAL)))
    rows = [row for row in table_of(picture) if row["metric"] == "calibration"]
    assert [row["value"] for row in rows] == [None, None]
    reason = "no value: no item has a reference distribution"
    assert {row["note"] for row in rows} == {reason}
    assert picture.description.count(f"C {reason}, n 159") == 2
    # Both stand in the strip, in its middle: the axis upwards is not drawn.
    assert [y for _, y in drawn(picture, "run", "y")] == [0.5, 0.5]


def test_profile_is_the_report_by_slice(demo: Connection, demo_path: Path):
    runs = asked_for(demo, ["de-1"])
    picture = profile(read_profile(demo, runs))
    expected = {}
    for dimension in ("tier", "family"):
        for row in rows_of(demo_path, "report", "--run", "de-1", "--by", dimension):
            base, _, value = row["report_row"].partition("/")
            if base == "public_231":
                expected[value or base] = (row["accuracy"], row["n"])
    table = table_of(picture)
    found = {row["slice"]: (row["value"], row["n"]) for row in table}
    types = {"choice", "noul", "score"}
    assert found.keys() == expected.keys() | types
    assert {name: found[name] for name in expected} == expected
    assert drawn(picture, "value", "n") == list(
        dict.fromkeys((row["value"], row["n"]) for row in table)
    )


def test_the_profile_of_eleven_runs_is_a_heatmap_of_the_same_numbers():
    """Accuracies from 0.50 to 0.60 in five slices, one of them without a value.

    The strength of a cell goes from 0.05 to 0.5: 0.55, half-way, is 0.275.
    """
    found = profiles(11)
    picture = profile(found)
    cells = drawn(picture, "run", "slice", "value", "strength")
    table = [(row["run"], row["slice"], row["value"]) for row in table_of(picture)]
    assert len(cells) == len(table) == 55
    short = {"overall": "overall", "family short": "short"}
    both = [(run, short[part], value) for run, part, value, _ in cells if part in short]
    assert sorted(both, key=str) == sorted(
        [row for row in table if row[1] in short.values()], key=str
    )
    assert [round(strength, 12) for *_, strength in cells[:11:5]] == [0.05, 0.275, 0.5]
    [absent] = [cell for cell in cells if cell[2] is None]
    assert absent[:2] == ("tiny@r0", "family short")
    assert [text for (text,) in drawn(picture, "text")].count("\N{EN DASH}") == 1
    texts = drawn(picture, "slice", "text", "n")
    assert ("overall", "0.5500", 100) in texts
    assert len(marks_of(profile(profiles(10)), "rect")) == 10


def test_won_and_lost_are_those_of_the_comparison(demo: Connection, demo_path: Path):
    runs = asked_for(demo, ["de-1", "gavel-decide-4b"])
    request = Request(runs[0], runs[1:], Asked(Rule.SHARED), (METHOD,))
    picture = won_lost(read_won_lost(demo, request))
    names = ("de-1", "gavel-decide-4b")
    told = rows_of(demo_path, "compare", *names, "--items")
    expected = sorted((row["item_id"], row["outcome"], row["family"]) for row in told)
    assert sorted(drawn(picture, "item", "outcome", "group")) == expected
    line = next(
        row
        for row in rows_of(demo_path, "compare", *names)
        if (row["report_row"], row["metric"], row["kind"])
        == ("public_231", "accuracy", "all")
    )
    counts = f"{line['n_only_other']} won, {line['n_only_base']} lost"
    assert counts in picture.alt
    assert f"exact McNemar p {line['p_value']:.4f}" in picture.alt
    assert f"difference {line['difference']:+.4f}" in picture.alt


def test_what_was_asked_twice_is_won_by_who_is_right_more_often(
    warehouse: Connection,
):
    """Of two answers each: n0 both to one, n1 one to both, n2 one to one."""
    items = [{"item_id": f"n{n}", "type": "noul", "gold": "yes"} for n in range(3)]
    name = add_benchmark(warehouse, items)
    runs = {"a": ("++", "+-", "+-"), "b": ("+-", "++", "-+")}
    for model, marks in runs.items():
        rows = [
            {"item_id": f"n{n}", "repeat": k, "answer": "yes" if mark == "+" else "no"}
            for n, given in enumerate(marks)
            for k, mark in enumerate(given)
        ]
        add_run(warehouse, name, rows, model=model, repeats=2)
    base, other = asked_for(warehouse, ["a", "b"])
    request = Request(base, [other], Asked(Rule.SHARED), (METHOD,))
    picture = won_lost(read_won_lost(warehouse, request))
    found = set(drawn(picture, "item", "outcome"))
    assert found == {("n0", "lost"), ("n1", "won")}
    texts = {text for (text,) in drawn(picture, "text")}
    assert {"a x2 right more often", "b x2 right more often"} <= texts


def test_risk_is_what_the_accuracy_coverage_curve_leaves(
    demo: Connection, demo_path: Path
):
    runs = asked_for(demo, ["de-1"])
    picture = risk_coverage(read_depths(demo, runs, kinds=["all"]), METHOD)
    [told] = rows_of(demo_path, "calibration", "de-1", "--kind", "all")
    expected = [
        (point["threshold"], point["n"], point["coverage"], 1 - point["accuracy"])
        for point in told["curve"]
    ]
    found = drawn(picture, "threshold", "n", "coverage", "risk")
    assert found == expected
    at_target = [row for row in table_of(picture) if row["is_target"]]
    # The most coverage at the target in these rows: no promise about others.
    assert [row["threshold"] for row in at_target] == [told["threshold_in_sample"]]


def test_of_many_curves_the_first_stands_out():
    """Nine runs, of which the second has no curve; eight have a look of their own."""
    found = depths(9, ("all",))
    for shown, best in ((found, "tiny@r0"), (found[1:] + found[:1], "日本")):
        picture = risk_coverage(shown, METHOD)
        body: Any = picture.spec["vconcat"]
        lines = [
            (part["data"]["values"][0]["run"], part["mark"]["color"])
            for part in body[0]["layer"]
            if part["mark"]["type"] == "line"
        ]
        # The last is drawn over the others.
        assert [colour for _, colour in lines] == [FAINT] * 7 + [BLUE]
        assert lines[-1][0].startswith(best)
        texts = [text for text, _ in drawn(picture, "text", "end")]
        assert len(texts) == 8 and sum(text.isdigit() for text in texts) == 7
        ends = {int(text.split()[0]) for text in texts}
        assert len(ends) == 8 and ends <= set(range(1, 10))
    eight = risk_coverage(found[:8], METHOD)
    assert "blue:" not in str(eight.spec) and f"blue: {best}" in str(picture.spec)


def test_history_is_the_history(warehouse: Connection, warehouse_path: Path):
    items = [
        {"item_id": f"n{place}", "type": "noul", "gold": "yes"} for place in range(4)
    ]
    name = add_benchmark(warehouse, items)
    answers = [
        {"item_id": item["item_id"], "probabilities": [0.1, 0.9]} for item in items
    ]
    add_run(warehouse, name, answers, model="m", revision="r1")
    add_gold_revision(
        warehouse, name, 2, [{"item_id": "n0", "type": "noul", "gold": "no"}]
    )
    add_run(warehouse, name, answers[:3], model="m", revision="r2")
    number = number_named("accuracy")
    picture = history(read_history(warehouse, "m", number))
    # Then 4 of 4, today 3 of 4; the second run lacks a row and n0 is wrong: 2 of 4.
    found = [(row["value_then"], row["value"], row["n"]) for row in table_of(picture)]
    assert found == [(1.0, 0.75, 4), (0.5, 0.5, 4)]
    assert [value for (value, _) in drawn(picture, "value", "then")] == [0.75, 0.5]
    assert "Before run 2: gold 2." in picture.description


def test_a_method_added_later_is_marked(warehouse: Connection):
    name = add_benchmark(warehouse, [{"item_id": "n0", "type": "noul", "gold": "yes"}])
    answers = [{"item_id": "n0", "probabilities": [0.1, 0.9]}]
    add_run(warehouse, name, answers, model="m", revision="r1")
    warehouse.execute(
        "insert into methods select * replace ('mine' as method_id, "
        "(select max(seq) from ingests) as seq) from methods "
        f"where method_id = '{METHOD}'"
    )
    add_run(warehouse, name, answers, model="m", revision="r2")
    found = read_history(warehouse, "m", methods=[METHOD, "mine"])
    assert [(change.before, change.words) for change in found.changes] == [
        (1, "method mine")
    ]


def test_usage_is_quartiles_and_means(warehouse: Connection):
    items = [
        {"item_id": f"n{place}", "type": "noul", "gold": "yes"} for place in range(5)
    ]
    name = add_benchmark(warehouse, items)
    answers = [
        {"item_id": item["item_id"], "probabilities": [0.1, 0.9]} for item in items
    ]
    run_id = add_run(warehouse, name, answers, model="m")
    bare = add_run(warehouse, name, answers[:2], model="bare")
    # Latencies 1, 2, 3, 4, 5: quartiles 2, 3, 4. Costs 0.25, 0.5, 0.75, two without.
    for place in range(5):
        cost = f"{(place + 1) / 4}" if place < 3 else "null"
        warehouse.execute(
            f"update predictions set latency_s = {place + 1}, cost_usd = {cost} "
            f"where run_id = '{run_id}' and item_id = 'n{place}'"
        )
    picture = usage(read_usage(warehouse, asked_for(warehouse, [], name)))
    rows = {row["run"]: row for row in table_of(picture)}
    names = ("n_latency", "latency_low", "latency_median", "latency_high", "n_cost")
    assert [rows["m"][each] for each in names] == [5, 2.0, 3.0, 4.0, 3]
    assert rows["m"]["cost_mean"] == 0.5
    assert rows["bare"]["latency_median"] is None
    assert rows["bare"]["note"] == "no row states a latency; no row states a cost"
    assert bare[:12] == rows["bare"]["run_id"]
    assert (3.0, rows["m"]["value"]) in drawn(picture, "x", "y")
    assert (500.0, rows["m"]["value"]) in drawn(picture, "x", "y")


def test_amounts_of_a_list_have_the_same_decimals():
    found = used(4)
    # 0.0123 needs four decimals for three digits of it, 0.5 of a dollar needs three.
    amounts = [(12345.5, 0.0005), (0.0123, 0.002), (None, None), (3.0, 0.0)]
    of = {
        run.run_id: Usage()
        if latency is None
        else Usage(9, latency, latency, latency, 9, cost)
        for run, (latency, cost) in zip(
            ordered(found.measured, INTELLIGENCE), amounts, strict=True
        )
    }
    picture = usage(Used(found.measured, of))
    texts = [text for (text,) in drawn(picture, "text")]
    for expected in (
        ["12345.5000", "0.0123", "3.0000"],
        ["0.500", "2.000", "0.000"],
    ):
        assert [text for text in texts if text in expected] == expected
    lines = picture.description.split("\n")[1:]
    assert "latency 3.0000 s" in lines[3] and "rows 0.000, n 9." in lines[3]


def test_a_picture_is_of_one_benchmark(demo: Connection):
    with pytest.raises(UsageError, match="choose it with benchmark"):
        read_measures(demo, asked_for(demo, []))
    with pytest.raises(UsageError, match="at least one run"):
        read_depths(demo, [])


def test_unknown_names_are_refused(demo: Connection):
    runs = asked_for(demo, [], REAL)
    for scored in (Scored(method_id="none"), Scored(report_row="none")):
        with pytest.raises(UnknownNameError):
            read_measures(demo, runs, scored=scored)
        with pytest.raises(UnknownNameError):
            read_depths(demo, runs, scored=scored)
        with pytest.raises(UnknownNameError):
            read_profile(demo, runs, scored=scored)
    with pytest.raises(UsageError, match="has no gold revision 7"):
        read_usage(demo, runs, scored=Scored(gold_revision=7))


@pytest.mark.parametrize(
    "arguments",
    [
        ["reliability", FIRST],
        ["indices", "--benchmark", "small"],
        ["history", "first"],
        ["profile", FIRST],
        ["won-lost", FIRST, "third"],
        ["risk-coverage", FIRST],
        ["usage", FIRST],
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_kind_is_drawn(
    warehouse_path: Path, tmp_path: Path, arguments: list[str]
):
    fill(warehouse_path)
    out = tmp_path / "picture.svg"
    result = jevdb(warehouse_path, "plot", *arguments, "--out", str(out))
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    text = out.read_text(encoding="utf-8")
    assert text.startswith("<svg ")
    title = re.findall("<title>([^<]+)</title>", text)[0]
    assert title in result.stderr


@pytest.mark.parametrize(
    ("suffix", "start"), [(".PNG", b"\x89PNG"), (".html", b"<!doctype html>")]
)
def test_the_name_of_the_file_says_its_format(
    warehouse_path: Path, tmp_path: Path, suffix: str, start: bytes
):
    fill(warehouse_path)
    out = tmp_path / f"picture{suffix}"
    result = jevdb(warehouse_path, "plot", "usage", FIRST, "--out", str(out))
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(start)


def test_svg_goes_to_stdout_too(warehouse_path: Path):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "plot", "usage", FIRST, "--out", "-")
    assert result.stdout.startswith("<svg ")


def test_private_runs_are_left_out_and_said(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    out = str(tmp_path / "picture.svg")
    arguments = ("plot", "usage", "--benchmark", "small", "--out", out)
    result = jevdb(warehouse_path, *arguments)
    assert "1 private run left out" in result.stderr
    assert "third" not in Path(out).read_text()
    jevdb(warehouse_path, *arguments, "--include-private")
    assert "third" in Path(out).read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["usage", "first", "--out", "picture.pdf"], 2, "ends in .svg, .png, .html"),
        (["usage", "nobody", "--out", "picture.svg"], 2, "unknown run 'nobody'"),
        (["history", "nobody", "--out", "p.svg"], 2, "unknown model 'nobody'"),
        (
            ["indices", "first", "--x", "C", "--out", "p.svg"],
            2,
            "a number is named twice",
        ),
        (["won-lost", "first", "first", "--out", "p.svg"], 2, "named twice"),
    ],
)
def test_wrong_options_are_refused(
    warehouse_path: Path, arguments: list[str], code: int, message: str
):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "plot", *arguments)
    assert (result.exit_code, message in result.stderr) == (code, True), result.stderr


def test_without_the_extra_the_command_says_what_to_install(
    warehouse_path: Path, monkeypatch: pytest.MonkeyPatch
):
    fill(warehouse_path)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    result = jevdb(warehouse_path, "plot", "usage", "first", "--out", "p.svg")
    assert result.exit_code == 1
    assert to_install("plot") in result.stderr


def test_a_kind_without_items_is_refused(warehouse: Connection):
    items = [{"item_id": "n0", "type": "noul", "gold": "yes"}]
    name = add_benchmark(warehouse, items)
    add_run(warehouse, name, [], model="m")
    runs = asked_for(warehouse, [], name)
    with pytest.raises(UsageError, match="row overall has no items of kind score"):
        read_depths(warehouse, runs, kinds=["score"])
    with pytest.raises(UsageError, match="by type, tier, family or domain"):
        read_profile(warehouse, runs, by=[])


def test_a_model_without_a_report_row_has_no_history(warehouse: Connection):
    name = add_benchmark(warehouse, [])
    add_run(warehouse, name, [], model="m")
    with pytest.raises(JevdbError, match="no run of m"):
        read_history(warehouse, "m")
