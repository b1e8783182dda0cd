"""Tallies that `jevdb score` keeps: no number changes, whatever is done to them."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commandline import ANSWERS, COMMAND, FAMILIES, ITEMS, METHOD, WORKED, rows_of
from commandline import jevdb as command

import jevdb
from jevdb.scoring import tallying
from jevdb.scoring.kept_check import kept_faults
from jevdb.scoring.kept_form import PARTS, judging, judging_sha256, packing
from jevdb.scoring.tallying import Tally, Task
from jevdb.warehouse.checks import Fault
from jevdb.warehouse.database import open_reader

REPORT = ("report", "--method", "metrics-md")
METRICS = "select * from report_metrics order by all"
PARTLY = [{"item_id": "c1", "error": "timeout"}, *ANSWERS[1:3]]
FAILED = [{"item_id": item["item_id"], "error": "timeout"} for item in ITEMS]
TWICE = [{**row, "repeat": repeat} for row in ANSWERS for repeat in (0, 1)]
RUNS = {"first": ANSWERS, "partly": PARTLY, "failed": FAILED, "twice": TWICE}
KEPT = (
    "select model, sizes, keys, counts, sums from kept_tallies "
    "join run_states using (run_id) order by all"
)


def store(path: Path) -> None:
    items = [{**item, "family": FAMILIES[str(item["item_id"])]} for item in ITEMS]
    with jevdb.open(path, read_only=False) as warehouse:
        warehouse.ingest_items(items, benchmark="small")
        warehouse.ingest_items(items[:2], benchmark="other")
        for model, rows in RUNS.items():
            warehouse.ingest_run(rows, benchmark="small", model=model)
        warehouse.ingest_run(ANSWERS[:2], benchmark="other", model="else")


@pytest.fixture(scope="module")
def plain_path(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs of one benchmark and one of another; nothing is kept."""
    path = tmp_path_factory.mktemp("kept") / "plain.duckdb"
    shutil.copyfile(template, path)
    store(path)
    return path


@pytest.fixture(scope="module")
def scored_path(plain_path: Path) -> Path:
    """The same, scored."""
    path = plain_path.with_name("scored.duckdb")
    shutil.copyfile(plain_path, path)
    done = jevdb.open(path, read_only=False).score()
    assert (done.n_kept, done.n_counted, done.passed) == (0, 5, True)
    return path


@pytest.fixture
def path(scored_path: Path, tmp_path: Path) -> Path:
    """A copy of the test's own."""
    return Path(shutil.copyfile(scored_path, tmp_path / "scored.duckdb"))


def shown(path: Path) -> dict[str, object]:
    """All that is said of the runs, in every form that tallies can reach."""
    with jevdb.open(path) as warehouse:
        return {
            "report": warehouse.report().rows(),
            "by": warehouse.report(by="family").rows(),
            "methods": warehouse.report(method=["metrics-md", "jevbench-v1.5"]).rows(),
            "metrics": warehouse.metrics(method=["metrics-md", "jevals-0.1"]).rows(),
            "clusters": warehouse.report(cluster="family").rows(),
            "repeats": warehouse.repeats("twice").rows(),
            "repeat": warehouse.report(by="repeat").rows(),
            "export": warehouse.export().to_json(),
            "board": warehouse.leaderboard("small", cohort="own").rows(),
            "sql": warehouse.sql(METRICS).to_pylist(),
        }


def change(path: Path, statement: str) -> None:
    """Do something to the file as another program would."""
    with duckdb.connect(path) as connection:
        connection.execute(statement)


@pytest.mark.long
def test_no_number_changes(plain_path: Path, scored_path: Path):
    assert shown(scored_path) == shown(plain_path)


def test_rows_of_kept_runs_are_not_read(path: Path):
    """The worked values of docs, of runs whose rows are gone."""
    change(path, "delete from predictions")
    [line] = rows_of(path, *REPORT, "--run", "first")
    found = {name: line[name] for name in WORKED}
    assert found == {name: pytest.approx(worked) for name, worked in WORKED.items()}
    # Of a and b, both said a: F1 of a is 2/3, of b 0.
    [macro_f1] = [
        row["value"]
        for row in jevdb.open(path).metrics("first", method="metrics-md")
        if (row["metric"], row["kind"]) == ("macro_f1", "choice")
    ]
    assert macro_f1 == pytest.approx(1 / 3)


def test_what_is_kept_of_a_run(path: Path):
    """First: c1 and c2 say a with 0.75, n1 yes with 0.875, s1 0.75 of the highest."""
    sizes, keys, counts, sums = next(row for row in kept(path) if row[0] == "first")[1:]
    assert sizes == [3, 4, 0, 0]
    # Bins of the top label and of P(yes), by stratum; then gold and predicted class.
    assert keys[:9] == ["c1", "n1", "s1", "7", "8", "7", None, "8", None]
    assert keys[9:13] == ["c1", "c1", "n1", "s1"]
    assert keys[13:] == ["a", "b", "yes", "high", "a", "a", "yes", "high"]
    # n_ok, n_right: c1 is right, c2 wrong.
    assert counts[:6] == [2, 1, 1, 1, 1, 1]
    # confidence_units, of 2^-53: 1.5, 0.875, 0.75.
    assert sums[:3] == [int(each * 2**53) for each in (1.5, 0.875, 0.75)]


def test_a_run_without_ok_rows_is_told_from_one_not_scored(path: Path):
    found = [row for row in kept(path) if row[0] == "failed"]
    assert {tuple(sizes) for _, sizes, *_ in found[:1]} == {(0, 0, 0, 0)}
    assert len(found) == 3
    change(path, "delete from kept_tallies where sizes[1] > 0")
    done = jevdb.open(path, read_only=False).score()
    # Failed, by the rule that takes what is not ok for uniform, is missing too.
    assert (done.n_kept, done.n_counted) == (0, 5)


def kept(path: Path) -> list[tuple[Any, ...]]:
    with open_reader(path) as connection:
        return connection.execute(KEPT).fetchall()


TAMPERED = {
    "counts": "update kept_tallies set counts = list_transform(counts, lambda n: 7)",
    "sums": "update kept_tallies set sums = list_transform(sums, lambda n: n / 2)",
    "keys": "update kept_tallies set keys = list_transform(keys, lambda n: 'c1')",
    "exchanged": """
        update kept_tallies set counts = other.counts, sums = other.sums,
        keys = other.keys, sizes = other.sizes, cells_sha256 = other.cells_sha256
        from kept_tallies as other
        where other.sizes[1] = 3 and kept_tallies.sizes[1] = 2""",
}


@pytest.mark.parametrize(
    "name",
    [
        each if each == "exchanged" else pytest.param(each, marks=pytest.mark.long)
        for each in TAMPERED
    ],
)
def test_tampered_tallies_change_no_number_and_are_found(
    path: Path, plain_path: Path, name: str
):
    change(path, TAMPERED[name])
    assert report(path) == report(plain_path)
    found = {fault.subject for fault in faults(path)}
    assert len(found) == (1 if name == "exchanged" else 5)


def faults(path: Path) -> list[Fault]:
    with open_reader(path) as connection:
        return kept_faults(connection)


def report(path: Path) -> object:
    return jevdb.open(path).report(method=["metrics-md", "jevbench-v1.5"]).rows()


def test_tallies_of_a_stranger_are_not_believed(
    path: Path,
    plain_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """Sealed in order, with numbers made up: by whoever has another secret."""
    monkeypatch.setenv("JEVDB_TALLY_KEY", "a stranger's own key")
    change(path, "delete from kept_tallies")
    monkeypatch.setattr(tallying, "packing", all_once)
    jevdb.open(path, read_only=False).score()
    assert report(path) != report(plain_path)
    monkeypatch.delenv("JEVDB_TALLY_KEY")
    assert report(path) == report(plain_path)
    monkeypatch.undo()
    said = command(path, "check")
    assert said.exit_code == 1
    assert "are not what its rows give" in said.output
    # Our own go beside them.
    done = jevdb.open(path, read_only=False).score()
    assert (done.n_kept, done.n_counted) == (0, 5)
    assert report(path) == report(plain_path)


def all_once() -> str:
    """What packs tallies, but every count is 1."""
    ones = "* replace (list_transform(counts, lambda n: 1::bigint) as counts)"
    return packing().replace("from packed", f"from (select {ones} from packed)")


@pytest.mark.long
def test_a_group_shares_a_key(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JEVDB_TALLY_KEY", "a key that a group has")
    assert jevdb.open(path, read_only=False).score().n_kept == 0
    monkeypatch.setenv("JEVDB_CACHE", str(path.parent / "another machine"))
    assert jevdb.open(path, read_only=False).score().n_kept == 5
    monkeypatch.setenv("JEVDB_TALLY_KEY", "too short")
    said = command(path, "score")
    assert said.exit_code == 2
    assert "16" in said.stderr


def test_no_reader_writes(path: Path):
    before = path.read_bytes()
    assert command(path, "report").exit_code == 0
    assert path.read_bytes() == before


def test_bundles_and_exports_are_without_them(
    path: Path, plain_path: Path, tmp_path: Path
):
    for name, each in (("scored", path), ("plain", plain_path)):
        assert command(each, "backup", str(tmp_path / name)).exit_code == 0
    scored, plain = (
        {each.name: each.read_bytes() for each in (tmp_path / name).iterdir()}
        for name in ("scored", "plain")
    )
    assert scored == plain
    restored = tmp_path / "restored.duckdb"
    jevdb.restore(tmp_path / "scored", restored)
    assert kept(restored) == []
    assert report(restored) == report(path)


def test_a_damaged_run_is_not_kept_and_the_others_are(path: Path):
    change(path, "delete from kept_tallies")
    change(
        path,
        "update predictions set probabilities = [0.5, 0.5] where item_id = 'c2' "
        "and run_id = (select run_id from run_states where model = 'partly')",
    )
    said = command(path, "score")
    assert said.exit_code == 1
    assert "its rows give" in said.stdout
    assert "4 runs scored" in said.stderr
    assert {model for model, *_ in kept(path)} == {"first", "failed", "twice", "else"}


def corrected(warehouse: jevdb.Warehouse) -> None:
    items = [{**ITEMS[0], "gold": "b", "family": "tasks"}, *ITEMS[1:]]
    full = [{**item, "family": FAMILIES[str(item["item_id"])]} for item in items]
    warehouse.ingest_items(full, benchmark="small", revise=True, reason="a mistake")


def another_run(warehouse: jevdb.Warehouse) -> None:
    warehouse.ingest_run(ANSWERS[1:], benchmark="small", model="late")


def relabelled(warehouse: jevdb.Warehouse) -> None:
    warehouse.relabel("first", "a label")


@pytest.mark.parametrize(
    ("done", "asked", "missing"),
    [
        (corrected, {}, 4),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (
                (corrected, {"gold_revision": 1, "benchmark": "small"}, 0),
                (corrected, {"as_of": 3}, 0),
                (another_run, {}, 1),
                (relabelled, {}, 0),
                (None, {"by": "family"}, 5),
            )
        ),
    ],
)
def test_what_a_change_costs(
    path: Path,
    done: Callable[[jevdb.Warehouse], None] | None,
    asked: dict[str, Any],
    missing: int,
):
    """SCALE.md §2 A: the runs whose tallies follow from what was changed."""
    warehouse = jevdb.open(path, read_only=False)
    if done:
        done(warehouse)
    assert warehouse.score(**asked).n_counted == missing
    assert warehouse.score(**asked).n_counted == 0


@pytest.mark.long
def test_a_method_of_other_bins_needs_its_own(path: Path, tmp_path: Path):
    file = tmp_path / "strict.toml"
    file.write_text(METHOD)
    warehouse = jevdb.open(path, read_only=False)
    warehouse.add_method(file)
    assert warehouse.score(method="metrics-md").n_counted == 0
    assert warehouse.score(method="strict").n_counted == 5


@pytest.mark.long
def test_any_map_gives_the_same(path: Path, scored_path: Path):
    """What comes back comes in any order."""

    def backwards(tally: Tally, tasks: Any) -> Iterator[Any]:
        return map(tally, reversed(list(tasks)))

    change(path, "delete from kept_tallies")
    jevdb.open(path, read_only=False).score(map=backwards)
    assert kept(path) == kept(scored_path)


@pytest.mark.parametrize(
    "lost",
    [
        lambda done: done[1:],
        pytest.param(lambda done: [*done, done[0]], marks=pytest.mark.long),
    ],
)
def test_what_a_map_leaves_out_is_not_kept(path: Path, lost: Callable[[Any], Any]):
    change(path, "delete from kept_tallies")
    with pytest.raises(jevdb.JevdbError, match="2 tasks were given away"):
        jevdb.open(path, read_only=False).score(
            map=lambda tally, tasks: lost([tally(task) for task in tasks])
        )
    assert kept(path) == []


def test_another_version_counts_nothing(path: Path, monkeypatch: pytest.MonkeyPatch):
    def elsewhere(tally: Tally, tasks: Any) -> Iterator[Any]:
        monkeypatch.setattr(tallying, "judging_sha256", lambda: "0" * 64)
        return map(tally, tasks)

    change(path, "delete from kept_tallies")
    with pytest.raises(tallying.OtherVersion, match="counts otherwise"):
        jevdb.open(path, read_only=False).score(map=elsewhere)
    assert kept(path) == []


@pytest.mark.parametrize("on", ["processes", "processes:0", "ray:", "dask", "spark"])
def test_an_engine_that_is_none(path: Path, on: str):
    said = command(path, "score", "--on", on)
    assert said.exit_code == 2
    assert f"--on '{on}'" in said.stderr


def test_a_sample_is_counted_again(path: Path):
    said = command(path, "score", "--check", "3")
    assert said.exit_code == 0
    assert "3 runs counted again: as they were" in said.stderr
    # Proved by its seal, a tally is as it was counted: the rows are what changed.
    change(
        path,
        "update predictions set probabilities = [0.5, 0.5] "
        "where item_id = 'c2' and probabilities is not null",
    )
    said = command(path, "score", "--check", "5")
    assert said.exit_code == 1
    assert "not all as they were" in said.stderr


def test_the_form_has_every_column_of_the_views(warehouse: duckdb.DuckDBPyConnection):
    for part in PARTS:
        shape = warehouse.execute(f"describe {part.view}").fetchall()
        found = {name: kind.lower() for name, kind, *_ in shape}
        run = ["run_id", *(["benchmark_id"] if part.has_benchmark else [])]
        stratum, *others = part.names
        expected = [*run, stratum, "rule", *others, *part.counts, *part.sums]
        assert list(found) == expected
        for name in part.counts:
            assert found[name] == "bigint"
        for name in part.sums:
            assert found[name] == "decimal(38,0)"
        for name, kind in part.names.items():
            assert found[name] == kind


def test_judging_is_all_that_counts():
    names = {item.name for item in judging()}
    assert {"scored", "terms", "negative_log", "normalised", "targets"} <= names
    assert not names & {"golden_items", "strata", "rules", "scopes", "tallies"}
    assert len(judging_sha256()) == 64


@pytest.mark.long
def test_a_task_names_no_place_and_no_secret(path: Path):
    """It may go to any machine: what it has are rows, items, rules and names."""
    change(path, "delete from kept_tallies")
    seen: list[Task] = []

    def looking(tally: Tally, tasks: Any) -> Iterator[Any]:
        seen.extend(tasks)
        return map(tally, seen)

    jevdb.open(path, read_only=False).score(map=looking)
    assert len(seen) == 2
    for task in seen:
        assert str(path).encode() not in b"".join(task.tables)


@pytest.mark.long
def test_two_at_once_and_one_killed_keep_each_once(path: Path, scored_path: Path):
    """Three rounds of two commands; in each a third is killed while it works."""
    change(path, "delete from kept_tallies")
    start = [*COMMAND, "--db", str(path), "score"]
    for after in (0.6, 1.2, 1.8):
        killed = subprocess.Popen(start, stderr=subprocess.DEVNULL)
        others = [subprocess.Popen(start, stderr=subprocess.DEVNULL) for _ in range(2)]
        time.sleep(after)
        killed.kill()
        killed.wait()
        assert [each.wait() for each in others] == [0, 0]
        assert kept(path) == kept(scored_path)
        change(path, "delete from kept_tallies where sizes[1] = 2")
