"""SQL, markup and control sequences in names are data in every command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commandline import jevdb, rows_of

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
    """A warehouse in which everything that has a name has a hostile one."""
    name: str = request.param
    options = [name, f"{name} 2"]
    item: dict[str, Any] = {"item_id": name, "type": "choice", "options": options}
    item |= {"family": name, "domain": name, "gold": name, "meta": {name: name}}
    row = {"item_id": name, "probabilities": {name: 0.75, options[1]: 0.25}}
    for file, record in (("items", item), ("rows", row)):
        (tmp_path / f"{file}.jsonl").write_text(json.dumps(record))
    arguments = ["--benchmark", name, "--model", name, "--revision", name]
    items = jevdb(
        *(warehouse_path, "ingest", "items", str(tmp_path / "items.jsonl")),
        *arguments[:2],
    )
    assert items.exit_code == 0, items.output
    for label in (name, f"{name} 2"):
        run = jevdb(
            *(warehouse_path, "ingest", "run", str(tmp_path / "rows.jsonl")),
            *(*arguments, "--label", label, "--setting", f"k={name}"),
        )
        assert run.exit_code == 0, run.output
    return name


def test_every_command_takes_a_hostile_name(
    hostile: str, warehouse_path: Path, tmp_path: Path
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
        for form in ("table", "markdown", "json"):
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
