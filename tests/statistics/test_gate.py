"""`jevdb gate` and `jevdb baseline`: margins, rules, rows, every form of a verdict."""

from __future__ import annotations

import csv
import doctest
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from building import add_benchmark, add_run, open_to_fill
from commandline import add_event, jevdb, rows_of
from making import copied

from jevdb.base.errors import UsageError
from jevdb.comparison.gates import gate_rules
from jevdb.comparison.gates.gate_rules import parse_rule

PASSED, FAILED = 0, 5


def choices(count: int) -> list[dict[str, Any]]:
    return [
        {"item_id": f"{i:03d}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(count)
    ]


def stated(*p_gold: float) -> list[dict[str, Any]]:
    return [
        {"item_id": f"{i:03d}", "probabilities": [p, 1 - p]}
        for i, p in enumerate(p_gold)
    ]


def rights(n_right: int, count: int) -> list[dict[str, Any]]:
    return [
        {"item_id": f"{i:03d}", "answer": "a" if i < n_right else "b"}
        for i in range(count)
    ]


@pytest.fixture(scope="module")
def case(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """31 items, 28 at or above 0.8, mean 0.927: 0.98 x 27, 0.8, 0.5 x 2, 0.477."""
    values = [0.98] * 27 + [0.8, 0.5, 0.5, 0.477]
    assert sum(values) / 31 == pytest.approx(0.927, abs=1e-12)
    assert sum(value >= 0.8 for value in values) == 28
    path = tmp_path_factory.mktemp("case") / "case.duckdb"
    copied(template, path)
    with open_to_fill(path) as connection:
        add_benchmark(connection, choices(31), benchmark_id="case")
        add_run(connection, "case", stated(*values), model="m")
    return path


RULES = {
    "mean(p_gold)>=0.8": True,
    "min(p_gold)>=0.8": False,
    "min(p_gold) >= 0.477": True,
    "max(p_gold) < 0.99": True,
    "median(p_gold) == 0.98": True,
    "share(p_gold >= 0.8) >= 90%": True,  # 28 of 31 is 0.9032
    "share(p_gold>=0.8)>=0.91": False,
    "share(p_gold > 0.8) >= 0.9": False,  # 27 of 31 is 0.871
    "share(correct) >= 90%": True,  # 0.5 ties, to a: 30 of 31 are right
    "mean(confidence) >= 0.927": True,
    "max(nll) <= 0.7403": True,  # -ln 0.477 is 0.74024
    "max(nll) <= 0.7402": False,
    "max(brier) <= 0.5471": True,  # 2 x 0.523^2 is 0.547058
    "max(tvd) <= 0.5231": True,  # one-hot gold: 1 - 0.477
    "mean(tvd) != 0": True,
}


def passed(path: Path, *arguments: str) -> list[bool]:
    """Whether each check after those of the rows passed."""
    result = jevdb(path, "gate", *arguments, "--format", "json")
    verdict = json.loads(result.stdout)
    assert result.exit_code == (PASSED if verdict["passed"] else FAILED)
    assert verdict["passed"] == all(check["passed"] for check in verdict["checks"])
    return [check["passed"] for check in verdict["checks"][3:]]


def test_rules(case: Path):
    rules = [part for rule in RULES for part in ("--rule", rule)]
    assert passed(case, "--candidate", "m", *rules) == list(RULES.values())


@pytest.mark.parametrize(
    ("rule", "code"), [("mean(p_gold)>=0.8", PASSED), ("min(p_gold)>=0.8", FAILED)]
)
def test_the_gate_case(case: Path, rule: str, code: int):
    result = jevdb(case, "gate", "--candidate", "m", "--rule", rule)
    assert result.exit_code == code
    assert ("FAIL" in result.stdout) == (code == FAILED)


def test_a_rule_that_fails_names_the_worst_item(case: Path):
    result = jevdb(case, "gate", "--candidate", "m", "--rule", "min(p_gold)>=0.8")
    assert "0.477 over 31 items; worst item 030" in result.stdout
    assert "error: gate failed: 1 of 4 checks: min(p_gold)>=0.8" in result.stderr


def test_every_form_has_the_same_verdict(case: Path, tmp_path: Path):
    for rule, code in (("mean(p_gold)>=0.8", PASSED), ("min(p_gold)>=0.8", FAILED)):
        junit, markdown = tmp_path / "gate.xml", tmp_path / "gate.md"
        files = ("--junit", str(junit), "--markdown", str(markdown))
        gate = ("gate", "--candidate", "m", "--rule", rule)
        found = {
            form: jevdb(case, *gate, "--format", form, *files)
            for form in ("table", "markdown", "json", "jsonl", "csv")
        }
        assert {result.exit_code for result in found.values()} == {code}
        verdict = json.loads(found["json"].stdout)
        assert verdict["passed"] is (code == PASSED)
        assert json.loads(found["jsonl"].stdout) == verdict
        checks = list(csv.DictReader(io.StringIO(found["csv"].stdout)))
        by_name = {check["name"]: check for check in verdict["checks"]}
        assert [check["name"] for check in checks] == list(by_name)
        assert by_name[rule]["passed"] is (code == PASSED)
        assert checks[-1]["passed"] == json.dumps(code == PASSED)
        suite = ET.parse(junit).getroot()
        assert suite.get("failures") == ("0" if code == PASSED else "1")
        failed = [
            c.get("name")
            for c in suite.iter("testcase")
            if c.find("failure") is not None
        ]
        assert failed == ([] if code == PASSED else [rule])
        assert markdown.read_text() == found["markdown"].stdout
        word = "passed" if code == PASSED else "failed"
        assert markdown.read_text().startswith(f"### jevdb gate: {word}\n")
        alone = jevdb(case, *gate, "--markdown", "-", "--junit", str(junit))
        assert (alone.exit_code, alone.stdout) == (code, markdown.read_text())


@pytest.mark.parametrize("other", [("--junit", "-"), ("--format", "json")])
def test_stdout_is_for_one_thing(case: Path, other: tuple[str, str]):
    gate = ("gate", "--candidate", "m", "--rule", "mean(p_gold)>=0.8")
    result = jevdb(case, *gate, "--markdown", "-", *other)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"--markdown and {other[0]}: one of them" in result.stderr.replace(
        "--junit and --markdown", "--markdown and --junit"
    )


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("p_gold >= 0.8", "write AGGREGATE(QUANTITY)"),
        ("min(p_gold)", "write AGGREGATE(QUANTITY)"),
        ("min(p_gold) >= high", "write AGGREGATE(QUANTITY)"),
        ("min(p_gold) >= 0.8; drop", "write AGGREGATE(QUANTITY)"),
        ("min(__import__) >= 0", "unknown quantity '__import__'"),
        ("min(p_glod) >= 0.8", "did you mean 'p_gold'?"),
        ("avg(p_gold) >= 0.8", "unknown aggregate 'avg'"),
        ("share(p_gold) >= 0.8", "a share is of a condition"),
        ("min(p_gold) >= nan", "write AGGREGATE(QUANTITY)"),
        ("min(p_gold) >= 1e999", "1e999 is no number"),
    ],
)
def test_what_is_no_rule(rule: str, words: str):
    with pytest.raises(UsageError) as caught:
        parse_rule(rule)
    assert words in str(caught.value)


def test_examples_in_the_docstrings():
    found = doctest.testmod(gate_rules)
    assert (found.attempted > 0, found.failed) == (True, 0)


@pytest.fixture(scope="module")
def stored_pair(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """200 items: base has 150 right, close 149, worse 100; for reading only."""
    path = tmp_path_factory.mktemp("pair") / "pair.duckdb"
    copied(template, path)
    with open_to_fill(path) as connection:
        add_benchmark(connection, choices(200), benchmark_id="pair")
        for model, n_right in (("base", 150), ("close", 149), ("worse", 100)):
            add_run(connection, "pair", rights(n_right, 200), model=model)
    return path


@pytest.fixture
def pair(stored_pair: Path, tmp_path: Path) -> Path:
    """The same, the test's own."""
    return copied(stored_pair, tmp_path / "pair.duckdb")


GATE = ("gate", "--baseline", "base", "--candidate")


MARGINS = [
    # worse loses 50 of 200 items: 0.25, surely more than 0.1, perhaps not than 0.2.
    ("accuracy", "0", False),
    ("accuracy", "0.1", False),
    ("accuracy", "0.2", True),
    # A third of 0.75.
    ("accuracy", "15%", False),
    ("accuracy", "30%", True),
    # I = 100 (2 accuracy - 1) falls from 50 to 0.
    ("I", "30", False),
    ("I", "45", True),
    ("I", "50%", False),
    ("I", "100%", True),
]


def test_margins(pair: Path):
    asked = [p for name, m, _ in MARGINS for p in ("--metric", name, "--margin", m)]
    found = passed(pair, *GATE[1:], "worse", *asked)
    assert found == [expected for *_, expected in MARGINS]


def test_a_share_of_a_baseline_below_zero(warehouse_path: Path):
    """I of base is 100 (2 x 60/200 - 1) = -40, of the candidate -80: 40 points lost.

    A share of -40 is a share of 40: 50 % allow 20 points, 150 % allow 60.
    """
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(200), benchmark_id="low")
        for model, n_right in (("base", 60), ("candidate", 20)):
            add_run(connection, "low", rights(n_right, 200), model=model)
    margins = {"50%": False, "20": False, "150%": True, "60": True}
    asked = [p for m in margins for p in ("--metric", "I", "--margin", m)]
    gate = ("--baseline", "base", "--candidate", "candidate", *asked)
    assert passed(warehouse_path, *gate) == list(margins.values())


def test_a_share_of_an_error(warehouse_path: Path):
    """TVD is 0.25 of base, 0.55 of the candidate: 0.3 worse, 120 % of 0.25."""
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(50), benchmark_id="errors")
        add_run(connection, "errors", stated(*[0.7, 0.8] * 25), model="base")
        add_run(connection, "errors", stated(*[0.5, 0.4] * 25), model="candidate")
    margins = {"80%": False, "0.2": False, "200%": True, "0.4": True}
    asked = [p for m in margins for p in ("--metric", "tvd", "--margin", m)]
    gate = ("--baseline", "base", "--candidate", "candidate", *asked)
    assert passed(warehouse_path, *gate) == list(margins.values())


def test_one_margin_is_for_all_metrics_and_none_is_0(pair: Path):
    both = ("--metric", "I", "--metric", "accuracy")
    assert passed(pair, *GATE[1:], "worse", *both, "--margin", "45") == [True, True]
    assert passed(pair, *GATE[1:], "worse", *both) == [False, False]
    # One item of 200 is within what a resample does.
    assert passed(pair, *GATE[1:], "close", *both) == [True, True]
    assert passed(pair, *GATE[1:], "base", *both) == [True, True]


def test_better_is_never_too_bad(pair: Path):
    arguments = ("--candidate", "base", "--metric", "accuracy")
    assert jevdb(pair, "gate", "--baseline", "worse", *arguments).exit_code == PASSED


def test_for_errors_lower_is_better(warehouse_path: Path):
    """50 items: the one is sure and right, the other says 0.7 or 0.8."""
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(50), benchmark_id="errors")
        add_run(connection, "errors", stated(*[1.0] * 50), model="sure")
        add_run(connection, "errors", stated(*[0.7, 0.8] * 25), model="unsure")

    both = ("--metric", "brier", "--metric", "tvd")
    better = ("--candidate", "sure", "--baseline", "unsure", *both)
    worse = ("--candidate", "unsure", "--baseline", "sure", *both)
    assert passed(warehouse_path, *better) == [True, True]
    assert passed(warehouse_path, *worse) == [False, False]
    # TVD is 0.25 worse, Brier (2 x 0.3^2 + 2 x 0.2^2) / 2 = 0.13; a share of 0 is 0.
    for margin, expected in (("0.26", [True, True]), ("0.2", [True, False])):
        assert passed(warehouse_path, *worse, "--margin", margin) == expected
    assert passed(warehouse_path, *worse, "--margin", "99%") == [False, False]


def test_what_does_not_vary_or_is_biased_is_inconclusive(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(50), benchmark_id="flat")
        add_run(connection, "flat", stated(*[1.0] * 50), model="sure")
        add_run(connection, "flat", stated(*[0.75] * 50), model="unsure")
    asked = ("--metric", "ece_choice", "--metric", "tvd", "--format", "json")
    gate = ("gate", "--candidate", "sure", "--baseline", "unsure", *asked)
    result = jevdb(warehouse_path, *gate)
    assert result.exit_code == 7
    verdict = json.loads(result.stdout)
    assert (verdict["outcome"], verdict["passed"]) == ("inconclusive", False)
    reasons = [check["reason"] for check in verdict["checks"][3:]]
    assert reasons == ["biased_statistic", "no_variation"]
    assert all(word in verdict["sentences"][0] for word in ("gap", "ce2", "brier"))


def test_what_has_no_value_fails(pair: Path):
    result = jevdb(pair, *GATE, "close", "--metric", "ece_choice", "--margin", "1")
    assert result.exit_code == FAILED
    assert "the candidate has no value: no answer has a probability" in result.stdout
    rule = jevdb(pair, "gate", "--candidate", "base", "--rule", "max(latency_s) <= 2")
    assert rule.exit_code == FAILED
    assert "no value over 0 items; 200 without latency_s" in rule.stdout


@pytest.mark.parametrize("fault", ["missing", "duplicate", "unscored"])
def test_faulty_rows_fail_unless_allowed(warehouse_path: Path, fault: str):
    rows = rights(10, 10)
    if fault == "missing":
        rows.pop()
    if fault == "unscored":
        rows[9]["status"] = "error"
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(10), benchmark_id="faulty")
        run_id = add_run(connection, "faulty", rows, model="m")
        if fault == "duplicate":
            connection.execute("update runs set n_duplicate = 1")
    gate = ("gate", "--candidate", run_id, "--rule", "mean(correct) >= 0.9")
    result = jevdb(warehouse_path, *gate)
    assert result.exit_code == FAILED
    assert f"1 of 4 checks: no {fault} rows" in result.stderr
    allowed = jevdb(warehouse_path, *gate, "--allow", fault)
    assert allowed.exit_code == PASSED
    assert "(allowed)" in allowed.stdout
    other = "unscored" if fault == "missing" else "missing"
    assert jevdb(warehouse_path, *gate, "--allow", other).exit_code == FAILED


def test_a_rule_must_see_every_item(warehouse_path: Path):
    """A label-only row has no p_gold: the smallest of the others says nothing of it."""
    rows = [*stated(0.9), {"item_id": "001", "answer": "b"}]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, choices(2), benchmark_id="labels")
        add_run(connection, "labels", rows, model="m")
    gate = ("gate", "--candidate", "m", "--rule", "min(p_gold) >= 0.8")
    result = jevdb(warehouse_path, *gate)
    assert result.exit_code == FAILED
    assert "0.9 over 1 item; 1 without p_gold" in result.stdout
    assert jevdb(warehouse_path, *gate, "--allow", "unscored").exit_code == PASSED


def test_a_rule_on_tvd_asks_no_item_without_a_reference(warehouse_path: Path):
    """Scored like CMDB-1500, where gold stands in for no reference."""
    noul = {"type": "noul", "gold": "yes"}
    items = [
        {**choices(1)[0], "item_id": "c1", "reference": [0.75, 0.25]},
        {**choices(1)[0], "item_id": "c2"},
        {**noul, "item_id": "n1", "reference": [0.5, 0.5]},
        {**noul, "item_id": "n2"},
    ]
    rows = [
        {"item_id": "c1", "probabilities": [0.5, 0.5]},  # TVD 0.25
        {"item_id": "c2", "probabilities": [0.0, 1.0]},
        {"item_id": "n1", "probabilities": [0.375, 0.625]},  # TVD 0.125
        {"item_id": "n2", "probabilities": [1.0, 0.0]},
    ]
    label = [{"item_id": "c1", "answer": "a"}, *rows[1:]]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="some", scoring="cmdb-1500")
        add_run(connection, "some", rows, model="all")
        add_run(connection, "some", label, model="label")
    rules = ("max(tvd) == 0.25", "mean(tvd) == 0.1875", "share(tvd < 0.2) == 50%")
    arguments = [part for rule in rules for part in ("--rule", rule)]
    gate = ("gate", *arguments, "--format", "json", "--candidate")
    verdict = json.loads(jevdb(warehouse_path, *gate, "all").stdout)
    assert verdict["passed"] is True
    assert [check["n"] for check in verdict["checks"][3:]] == [2, 2, 2]
    lacking = jevdb(
        warehouse_path, "gate", "--rule", "max(tvd) < 1", "--candidate", "label"
    )
    assert lacking.exit_code == FAILED
    assert "0.125 over 1 item; 1 without tvd" in lacking.stdout


def test_a_quantity_is_asked_of_the_types_that_have_it(warehouse_path: Path):
    items = [
        *choices(1),
        {"item_id": "s", "type": "score", "options": ["x", "y", "z"], "gold": 2},
        {"item_id": "m", "type": "multi_select", "options": ["p", "q"], "gold": ["p"]},
    ]
    rows = [
        *stated(0.75),
        {"item_id": "s", "probabilities": [0.0, 0.25, 0.75]},
        {"item_id": "m", "answer": ["p", "q"]},
    ]
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="types")
        add_run(connection, "types", rows, model="m")
    # Rating error 2 - 1.75; RPS 0.25^2 / 2; F1 of {p, q} against {p}: 2 / 3.
    rules = (
        *("mean(p_gold) == 0.75", "mean(rating_error) == 0.25", "max(rps) == 0.03125"),
        *("mean(f1) < 0.67", "mean(correct) > 0.66", "mean(tvd) == 0.25"),
    )
    arguments = [part for rule in rules for part in ("--rule", rule)]
    gate = ("gate", "--candidate", "m", *arguments, "--format", "json")
    verdict = json.loads(jevdb(warehouse_path, *gate).stdout)
    assert verdict["passed"] is True
    counts = {check["name"]: check["n"] for check in verdict["checks"][3:]}
    assert list(counts.values()) == [2, 1, 1, 1, 3, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "a gate needs a --metric, a --rule or --thresholds"),
        (("--metric", "I", "--require", "non-inferior"), "needs a --margin above 0"),
        (("--margin", "1", "--rule", "mean(correct)>0"), "a --margin needs a --metric"),
        (("--metric", "I", "--margin", "-1"), "--margin '-1'"),
        (("--metric", "I", "--margin", "much"), "--margin 'much'"),
        (
            (*("--metric", "I") * 3, *("--margin", "1") * 2),
            "3 metrics and 2 margins",
        ),
        (("--metric", "speed"), "unknown metric 'speed'"),
        (("--metric", "I", "--row", "hard"), "unknown report row 'hard'"),
        (("--metric", "I", "--method", "mine"), "unknown method 'mine'"),
    ],
)
def test_usage(pair: Path, arguments: tuple[str, ...], words: str):
    result = jevdb(pair, *GATE, "close", *arguments)
    assert result.exit_code == 2, result.output
    assert words in result.stderr


def test_baseline_is_set_used_replaced_and_cleared(pair: Path):
    gate = ("gate", "--candidate", "worse", "--metric", "accuracy")
    without = jevdb(pair, *gate)
    assert without.exit_code == 2
    assert "pair has no baseline" in without.stderr
    assert rows_of(pair, "baseline", "list") == []
    told = jevdb(pair, "baseline", "set", "base", "--reason", "release 1")
    assert (told.exit_code, told.stdout) == (0, "")
    assert "is the baseline of pair" in told.stderr
    assert "already" in jevdb(pair, "baseline", "set", "base").stderr
    assert jevdb(pair, *gate).exit_code == FAILED
    [listed] = rows_of(pair, "baseline", "list")
    assert (listed["benchmark_id"], listed["model"]) == ("pair", "base")
    assert listed["reason"] == "release 1"
    jevdb(pair, "baseline", "set", "worse")
    assert [row["model"] for row in rows_of(pair, "baseline", "list")] == ["worse"]
    assert jevdb(pair, *gate).exit_code == PASSED
    jevdb(pair, "baseline", "set", "base")
    assert jevdb(pair, "baseline", "clear", "pair").exit_code == 0
    assert rows_of(pair, "baseline", "list") == []
    assert jevdb(pair, *gate).exit_code == 2
    again = jevdb(pair, "baseline", "clear", "pair")
    assert again.exit_code == 2
    assert "unknown baseline of benchmark 'pair'" in again.stderr


def test_a_baseline_that_no_longer_stands_is_refused(pair: Path):
    jevdb(pair, "baseline", "set", "base")
    with open_to_fill(pair) as connection:
        [(base,)] = connection.execute(
            "select run_id from run_states where model = 'base'"
        ).fetchall()
        add_event(connection, base, "withdrawn")
    result = jevdb(pair, "gate", "--candidate", "close", "--metric", "I")
    assert result.exit_code == 2
    assert "is withdrawn" in result.stderr
    assert jevdb(pair, "baseline", "set", base).exit_code == 2


def test_candidate_and_baseline_share_a_benchmark(pair: Path):
    with open_to_fill(pair) as connection:
        add_benchmark(connection, choices(2), benchmark_id="elsewhere")
        add_run(connection, "elsewhere", rights(2, 2), model="other")
    result = jevdb(pair, *GATE, "other", "--metric", "I")
    assert result.exit_code == 2
    assert "base answered pair, other elsewhere" in result.stderr
