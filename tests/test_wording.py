"""A message names an option to a shell, and a parameter to Python."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from commandline import FIRST, fill
from commandline import jevdb as shell

import jevdb
from jevdb import Warehouse
from jevdb.base.errors import JevdbError
from jevdb.base.text import visible
from jevdb.base.wording import either, for_python, for_shell

PACKAGE = Path(jevdb.__file__).parent
NOUNS = re.compile(
    r" (rows|items|runs|points|lines|files|answers|diagrams|distributions|members"
    r"|checks|models|benchmarks|entrants|results|faults|pages|clusters)\b"
)
CONSTANT = re.compile(r"(\w+\.)*[A-Z][A-Z_]+")
OPTION = re.compile(r"(?<![\w-])--[a-z]")
FOR_SHELLS = {"commands", "lake", "diagnosing", "foreign", "site"}
"""Packages whose messages only a shell shows."""

PLURAL_ALWAYS = [
    "board.py: len(ranked)",
    "board.py: len(with_rows)",
    "errors.py: total",
    "form.py: type",
    "gate.py: fault",
    "gold.py: type",
    "numbering.py: n_rows",
    "runs.py: len(matching)",
    "runs.py: len(meant)",
    "runs.py: len(meant)",
    "sections.py: rounded(part.points, 2)",
]
"""Where what stands before a plural is never one, or no number."""

ITEM = {"item_id": "n", "type": "noul", "gold": "no"}
ROW = {"item_id": "n", "answer": "yes"}
TWO = [ROW, {**ROW, "answer": "no"}]
MODEL = ("--benchmark", "mine", "--model", "one")

Fault = tuple[Callable[[Warehouse], object], tuple[str, ...], str, str]
FAULTS: dict[str, Fault] = {
    "another run": (
        lambda warehouse: warehouse.ingest_run([ROW], benchmark="mine", model="one"),
        ("ingest", "run", "row.jsonl", *MODEL),
        "under another label, or replace that run with supersede=True",
        "under another --label, or replace that run with --supersede",
    ),
    "two answers": (
        lambda warehouse: warehouse.ingest_run(TWO, benchmark="mine", model="two"),
        ("ingest", "run", "two.jsonl", "--benchmark", "mine", "--model", "two"),
        "keep one, or choose with on_duplicate first or last",
        "keep one, or choose with --on-duplicate first or last",
    ),
    "another gold": (
        lambda warehouse: warehouse.ingest_items([ITEM], benchmark="mine"),
        ("ingest", "items", "item.jsonl", "--benchmark", "mine"),
        "as a new revision with revise=True, reason='TEXT'",
        "as a new revision with --revise --reason TEXT",
    ),
    "no reason": (
        lambda warehouse: warehouse.ingest_items([ITEM], benchmark="mine", revise=True),
        ("ingest", "items", "item.jsonl", "--benchmark", "mine", "--revise"),
        "revise needs reason: why",
        "--revise needs --reason: why",
    ),
    "no items": (
        lambda warehouse: warehouse.ingest_run(
            [ROW], benchmark="decision-bench", model="one"
        ),
        (
            *("ingest", "run", "row.jsonl", "--benchmark", "decision-bench"),
            *("--model", "one"),
        ),
        "store them with `Warehouse.ingest_items`",
        "store them with `jevdb ingest items`",
    ),
    "a number not reached": (
        lambda warehouse: warehouse.report(as_of=999),
        ("report", "--as-of", "999"),
        "as_of='999': the newest",
        "--as-of 999: the newest",
    ),
    "a target too high": (
        lambda warehouse: warehouse.calibration("one", target=2),
        ("calibration", "one", "--target", "2"),
        "target is above 0",
        "--target is above 0",
    ),
    "no baseline": (
        lambda warehouse: warehouse.gate("one", metrics={"I": "1.0"}),
        ("gate", "--candidate", "one", "--metric", "I", "--margin", "1.0"),
        "with baseline, or approve one with `Warehouse.set_baseline`",
        "with --baseline, or approve one with `jevdb baseline set RUN`",
    ),
    "published on a part": (
        lambda warehouse: warehouse.leaderboard("mine", rank_reported=True, row="all"),
        ("leaderboard", "--benchmark", "mine", "--rank-reported", "--row", "all"),
        "leave out row and modality, or list them below with reported=True",
        "leave out --row and --modality, or list them below with --reported",
    ),
    "not every item": (
        lambda warehouse: warehouse.compare("one", "two", cohort="strict"),
        ("compare", "one", "two", "--cohort", "strict"),
        "cohort='shared' compares the other 1",
        "--cohort shared compares the other 1",
    ),
}
OF_RECORDS = {"two answers"}
"""Faults of what a file holds: the page of its forms is named in a line of its own."""


@pytest.fixture(scope="module")
def stored(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with two runs, of which one lacks an item."""
    folder = tmp_path_factory.mktemp("wording")
    path = folder / "warehouse.duckdb"
    path.write_bytes(template.read_bytes())
    items = [{**ITEM, "gold": "yes"}, {**ITEM, "item_id": "m"}]
    with jevdb.open(path, read_only=False) as warehouse:
        warehouse.ingest_items(items, benchmark="mine")
        rows = [{**ROW, "answer": "no"}, {**ROW, "item_id": "m"}]
        warehouse.ingest_run(rows, benchmark="mine", model="one")
        warehouse.ingest_run(rows[:1], benchmark="mine", model="two")
    (folder / "item.jsonl").write_text(json.dumps(ITEM) + "\n")
    (folder / "row.jsonl").write_text(json.dumps(ROW) + "\n")
    (folder / "two.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in TWO))
    return path


@pytest.mark.parametrize("name", FAULTS)
def test_python_reads_parameters_and_a_shell_its_options(
    stored: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    call, arguments, in_python, in_shell = FAULTS[name]
    warehouse = jevdb.open(stored, read_only=False)
    with warehouse, pytest.raises(JevdbError) as raised:
        call(warehouse)
    assert in_python in str(raised.value)
    assert not OPTION.search(str(raised.value))
    assert str(raised.value).isprintable()
    monkeypatch.chdir(stored.parent)
    failed = shell(stored, *arguments)
    assert failed.exit_code == raised.value.exit_code
    lines = failed.stderr.removesuffix("\n").split("\n")
    # How far it is, is told where a machine takes its time.
    told, *page = [line for line in lines if not line.endswith(" rows read")]
    assert in_shell in told
    assert told.isprintable()
    assert page == (["what a file may hold: docs/canonical.md"] * (name in OF_RECORDS))


def test_a_refused_line_keeps_what_a_shell_reads(stored: Path, tmp_path: Path):
    path = tmp_path / "copy.duckdb"
    path.write_bytes(stored.read_bytes())
    with jevdb.open(path, read_only=False) as warehouse:
        done = warehouse.ingest_run(
            [*TWO, {**ROW, "item_id": "m"}],
            **{"benchmark": "mine", "model": "three", "keep_rejects": True},
        )
        kept = warehouse.rejects(done.run_id)
    (reason,) = [row["reason"] for row in kept]
    assert "choose with --on-duplicate first or last" in reason
    assert reason.isprintable()


def test_what_is_left_out_is_said_in_both_ways(
    warehouse_path: Path, caplog: pytest.LogCaptureFixture
):
    fill(warehouse_path)
    told = shell(warehouse_path, "leaderboard", "--benchmark", "small").stderr
    assert "1 private run left out; --include-private ranks them" in told
    with jevdb.open(warehouse_path) as warehouse:
        warehouse.leaderboard("small")
    assert "left out; include_private=True ranks them" in caplog.text
    assert FIRST not in caplog.text


def test_no_message_that_python_may_read_names_an_option_plainly():
    found = []
    n_raised = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        if FOR_SHELLS & {*path.relative_to(PACKAGE).parts}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if not called.endswith(("Error", "Failed", "Problem", "on_choice")):
                continue
            n_raised += 1
            texts = [
                part.value
                for part in ast.walk(node)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
            found += [(path.name, text) for text in texts if OPTION.search(text)]
    assert n_raised > 150
    assert found == []


def test_a_name_cannot_pass_for_an_option():
    text = f"no run {visible('a' + either('x', 'y'))!r}"
    assert for_python(text) == for_shell(text) == text


def test_a_file_of_settings_is_not_held_against_the_page_of_records(
    stored: Path, tmp_path: Path
):
    """A suite that is refused names its field, and not what a file of answers holds."""
    suite = tmp_path / "ours.toml"
    suite.write_text('name = "ours"\nversion = "1"\naggregate = "sum"\n')
    done = shell(stored, "suites", "add", str(suite))
    assert done.exit_code == 1
    assert "aggregate" in done.stderr
    assert "canonical.md" not in done.stderr


def uncounted(path: Path) -> list[str]:
    """Return where an f-string puts a plural behind a number that may be one."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, words in pairwise(node.values):
            if not isinstance(value, ast.FormattedValue):
                continue
            if not isinstance(words, ast.Constant):
                continue
            said = ast.unparse(value.value)
            form = ast.unparse(value.format_spec) if value.format_spec else ""
            # A difference in points has a sign and decimals: "+1.0 points".
            is_signed = "+" in form or ".1f" in form or said.startswith("points(")
            if NOUNS.match(str(words.value)) and not (
                CONSTANT.fullmatch(said) or is_signed
            ):
                found.append(f"{path.name}: {said}")
    return found


def test_counts_get_their_nouns_in_one_place():
    places = [
        each for path in sorted(PACKAGE.rglob("*.py")) for each in uncounted(path)
    ]
    assert sorted(places) == PLURAL_ALWAYS
