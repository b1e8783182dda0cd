"""A warehouse moves between file, bundle and lake, and stays the same to the byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commandline import jevdb
from places import Machine, Place, answer_rows, benchmark_rows, caching, write_rows

from jevdb.lake import pull

TIME = re.compile(r"20\d\d-\d\d-\d\d[T ][\d:.]+Z?")
SAYING = [
    ("runs", "rejects", "alpha"),
    ("report", "--as-of", "3", "--format", "json"),
    ("export", "--out", "-", "--include-private"),
    ("check",),
    ("sql", "select run_id, item_id, probabilities from predictions order by all"),
]
SAYING_MORE = [
    ("runs",),
    ("explain", "alpha", "I"),
    ("baseline", "list"),
    ("runs", "dump", "alpha"),
    ("models",),
    ("benchmarks",),
    ("scopes",),
    ("methods",),
    ("report", "--format", "json"),
    ("compare", "alpha", "beta", "--format", "json"),
    ("leaderboard", "--benchmark", "small", "--format", "json"),
    ("history", "alpha"),
    ("revisions", "small"),
    ("calibration", "alpha"),
    ("gate", "--candidate", "beta", "--rule", "min(p_gold) >= 0.0"),
    ("results",),
    ("snapshots",),
]


def fill(db: str, folder: Path) -> None:
    """Store a benchmark, its correction, runs and what can happen to them."""
    items = benchmark_rows(20)
    write_rows(folder / "items.jsonl", items)
    write_rows(folder / "fixed.jsonl", [{**items[0], "gold": "west"}, *items[1:]])
    for model in ("alpha", "beta"):
        write_rows(folder / f"{model}.jsonl", answer_rows(20, model))
    faulty = folder / "beta.jsonl"
    faulty.write_text(faulty.read_text() + "{broken\n")
    benchmark = ("--benchmark", "small")
    run = (*benchmark, "--model")
    revise = ("--revise", "--reason", "a wrong label")
    for codes, *words in [
        (0, "ingest", "items", f"{folder}/items.jsonl", *benchmark),
        (0, "ingest", "run", f"{folder}/alpha.jsonl", *run, "alpha"),
        (3, "ingest", "run", f"{folder}/beta.jsonl", *run, "beta", "--keep-rejects"),
        (0, "ingest", "items", f"{folder}/fixed.jsonl", *benchmark, *revise),
        (0, "baseline", "set", "alpha", "--reason", "r1"),
        (0, "runs", "private", "beta"),
        (0, "export", "--snapshot", "first", "--out", f"{folder}/e.json"),
    ]:
        done = jevdb(db, *words)
        assert done.exit_code == codes, done.output


@pytest.mark.parametrize(
    "saying",
    [
        pytest.param(SAYING, id="some"),
        pytest.param(SAYING_MORE, id="more", marks=pytest.mark.long),
    ],
)
def test_commands_say_of_a_lake_what_they_say_of_a_file(
    empty_place: Place, template: Path, tmp_path: Path, saying: list[tuple[str, ...]]
):
    file = tmp_path / "file.duckdb"
    file.write_bytes(template.read_bytes())
    fill(str(file), tmp_path)
    with caching(tmp_path):
        fill(empty_place.dsn(), tmp_path)
        pull(empty_place.target)
        for words in saying:
            ours, theirs = jevdb(file, *words), jevdb(empty_place.dsn(), *words)
            assert ours.exit_code == theirs.exit_code == 0, (words, theirs.output)
            # The two were filled one after the other.
            said = [TIME.sub("then", each.stdout) for each in (ours, theirs)]
            assert said[0] == said[1], words


SUITE = """\
name = "ours"
version = "1"
also = ["borda"]

[[member]]
benchmark = "small"
metric = "accuracy"
exclude = ["q00003"]
exclude_reason = "spoilt"
"""


def publish_an_edition(machine: Machine, folder: Path) -> None:
    """Publish a run that asked twice, a suite, and an edition of its board."""
    rows = [
        {**row, "repeat": number}
        for number, seed in enumerate(("2", "3"))
        for row in answer_rows(20, seed)
    ]
    write_rows(folder / "twice.jsonl", rows)
    (folder / "ours.toml").write_text(SUITE)
    run = ("--benchmark", "small", "--model", "gamma")
    for words in [
        ("ingest", "run", f"{folder}/twice.jsonl", *run),
        ("suites", "add", f"{folder}/ours.toml"),
        ("editions", "freeze", "may", "--suite", "ours"),
    ]:
        done = machine.jevdb(*words)
        assert done.exit_code == 0, done.output


OF_A_BUNDLE = [("export", "--out", "-"), ("editions", "check", "may")]
OF_A_BUNDLE_MORE = [
    *OF_A_BUNDLE,
    ("export", "--suite", "ours", "--out", "-"),
    ("editions", "show", "may"),
    ("repeats", "gamma", "--format", "json"),
]


@pytest.mark.parametrize(
    "saying",
    [
        pytest.param(OF_A_BUNDLE, id="some"),
        pytest.param(OF_A_BUNDLE_MORE, id="more", marks=pytest.mark.long),
    ],
)
def test_bundles_between_file_and_lake(
    place: Place, machine: Machine, tmp_path: Path, saying: list[tuple[str, ...]]
):
    """Lake to bundle to file to bundle to lake: the same bytes, the same exports."""
    assert machine.ingest("alpha").exit_code == 0
    assert machine.ingest("beta", "1").exit_code == 0
    publish_an_edition(machine, tmp_path)
    first, second, third = (tmp_path / f"{n}.tar" for n in (1, 2, 3))
    file = tmp_path / "file.duckdb"
    place.postgres.psql(f"create database {place.database}_2")
    copy = f"{place.dsn()}_2"
    folder = tmp_path / "copied"
    for db, *words in [
        (place.dsn(), "backup", str(first)),
        (file, "restore", str(first)),
        (file, "backup", str(second)),
        (copy, "restore", str(second), "--data", str(folder)),
        (copy, "backup", str(third)),
    ]:
        done = jevdb(db, *words)
        assert done.exit_code == 0, done.output
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    there = place.machine("there")
    for words in saying:
        said = [jevdb(db, *words) for db in (place.dsn(), file, copy)]
        said.append(there.jevdb(*words))
        assert {each.exit_code for each in said} == {0}, said[0].output
        assert len({each.stdout for each in said}) == 1, words
        assert said[0].output
    again = jevdb(copy, "restore", str(first), "--data", str(tmp_path / "more"))
    assert again.exit_code == 4
    assert "there is a lake already" in again.stderr
    assert list(folder.rglob("*.parquet"))
    assert not (tmp_path / "more").exists()
