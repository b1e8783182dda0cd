"""SQL, markup and control sequences in names are data in every command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from building import open_for_a_test
from commandline import jevdb, rows_of

from jevdb.base.errors import UsageError
from jevdb.ingest import ItemsOptions, Model, RunOptions, ingest_items, ingest_run
from jevdb.ingest.names import check_name

NAMES = [
    "'; drop table runs; --\"; drop view report; -- $1 ${x} {file} %s %(x)s :name ?",
    "a|b\n| --- |\n# *b* <script>alert(1)</script> &amp; [x](javascript:1) `c`",
    "=cmd|' /C calc'!A0 \x1b[31m\x1b]0;title\x07 ../../etc/passwd [bold]x[/] \u202e",
]
EACH = [
    pytest.param("".join(NAMES), id="all in one"),
    *(pytest.param(n, marks=pytest.mark.long, id=n.split()[0][:4]) for n in NAMES),
]


@pytest.fixture(params=EACH)
def hostile(request: pytest.FixtureRequest, warehouse_path: Path, tmp_path: Path):
    """A warehouse in which everything that has a name has a hostile one.

    Commands refuse some of these names by now: older warehouses may hold them.
    """
    name: str = request.param
    options = [name, f"{name} 2"]
    item: dict[str, Any] = {"item_id": name, "type": "choice", "options": options}
    item |= {"family": name, "domain": name, "gold": name, "meta": {name: name}}
    row = {"item_id": name, "probabilities": {name: 0.75, options[1]: 0.25}}
    for file, record in (("items", item), ("rows", row)):
        (tmp_path / f"{file}.jsonl").write_text(json.dumps(record))
    with open_for_a_test(warehouse_path) as connection:
        ingest_items(connection, [tmp_path / "items.jsonl"], ItemsOptions(name))
        for label in (name, f"{name} 2"):
            options = RunOptions(name, Model(name, name), label, settings={"k": name})
            ingest_run(connection, [tmp_path / "rows.jsonl"], options)
    return name


@pytest.mark.parametrize("name", [*NAMES[1:], "a@b", "a#b", " a", "a ", "\x85", ""])
def test_names_that_cannot_be_told_apart_are_refused(name: str):
    with pytest.raises(UsageError, match="model"):
        check_name(name, "model")


@pytest.mark.parametrize("option", ["--benchmark", "--model", "--revision", "--label"])
def test_a_command_refuses_such_names(
    option: str, warehouse_path: Path, tmp_path: Path
):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"item_id": "1"}')
    said = {"--benchmark": "b", "--model": "m", option: "a@b"}
    words = [word for pair in said.items() for word in pair]
    done = jevdb(warehouse_path, "ingest", "run", str(rows), *words)
    assert done.exit_code == 2
    assert option in done.stderr


@pytest.mark.parametrize(
    "forms",
    [
        pytest.param(["table", "markdown"], id="for people"),
        pytest.param(["json"], id="for programs", marks=pytest.mark.long),
    ],
)
def test_every_command_takes_a_hostile_name(
    hostile: str, warehouse_path: Path, tmp_path: Path, forms: list[str]
):
    runs = rows_of(warehouse_path, "runs")
    assert {row["model"] for row in runs} == {hostile}
    one, two = (row["run_id"] for row in runs)
    listed = [
        *(["models"], ["benchmarks"], ["runs", "--benchmark", hostile], ["report"]),
        *(["report", "--run", one, "--by", "family"], ["history", hostile]),
        *(["revisions", hostile], ["compare", one, two, "--items"]),
        *(
            ["leaderboard", "--benchmark", hostile],
            ["explain", one, "accuracy", "--items"],
        ),
        [
            "sql",
            "select model, label, item_id from scored join run_states using (run_id)",
        ],
    ]
    for arguments in listed:
        for form in forms:
            result = jevdb(warehouse_path, *arguments, "--format", form)
            if "No such option" in result.stderr:
                result = jevdb(warehouse_path, *arguments)
            assert result.exit_code == 0, (arguments, form, result.output)
            if form == "markdown":
                assert "<script>" not in result.stdout, arguments
                assert "\n# " not in result.stdout, arguments
            if form in ("table", "markdown"):
                assert "\x1b" not in result.stdout, arguments
    dumped = json.loads(jevdb(warehouse_path, "runs", "dump", one).stdout)
    assert dumped["item_id"] == hostile
    assert dumped["probabilities"] == {hostile: 0.75, f"{hostile} 2": 0.25}
    out = tmp_path / "e.json"
    markdown = tmp_path / "R.md"
    result = jevdb(
        *(warehouse_path, "export", "--out", str(out), "--markdown", str(markdown))
    )
    assert result.exit_code == 0, result.output
    (benchmark,) = json.loads(out.read_text())["benchmarks"]
    assert benchmark["benchmark_id"] == hostile
    assert "<script>" not in markdown.read_text()
    assert jevdb(warehouse_path, "export", "--check", str(out)).exit_code == 0
    assert jevdb(warehouse_path, "check").exit_code == 0
    assert jevdb(warehouse_path, "backup", str(tmp_path / "b")).exit_code == 0
    again = tmp_path / "again.duckdb"
    assert jevdb(again, "restore", str(tmp_path / "b")).exit_code == 0
    assert rows_of(again, "runs") == runs
    named = ("--reason", hostile)
    assert jevdb(warehouse_path, "runs", "withdraw", one, *named).exit_code == 0
    assert rows_of(warehouse_path, "runs")[0].keys() == runs[0].keys()
