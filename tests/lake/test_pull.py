"""What is read of a lake is one state of it, whatever goes on meanwhile."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from places import (
    Machine,
    Place,
    answer_rows,
    benchmark_rows,
    caching,
    write_rows,
)
from workers import Job, publish_at_once_in_background

from jevdb.lake import maintain, news, pull, pulling
from jevdb.lake.connecting import Lake, Row
from jevdb.lake.mirroring import mirror_writer
from jevdb.lake.tables import CHILDREN
from jevdb.warehouse.connecting import log_of
from jevdb.warehouse.database import open_reader
from jevdb.warehouse.schema import metadata, stored_tables

REPORT = ("report", "--format", "json")
RESULTS = Path(__file__).parents[1] / "data" / "decision_bench_results"
SCOPE = """\
-- acme: one row per report row, subset and item of one choice.
select benchmark_id, 'core' as report_row, subset, item_id
from golden_items
cross join (values ('all'), ('index')) as subsets (subset)
where scoring = 'acme' and type = 'choice' and len(distinct_labels(options)) >= 2
"""
TABLES = [*stored_tables(), "alembic_version"]


def test_every_table_has_seq_or_hangs_under_one_that_has():
    for name, table in stored_tables().items():
        if "seq" in table.columns:
            continue
        parent, key = CHILDREN[name]
        assert key in table.columns
        assert {"seq", key} <= set(metadata.tables[parent].columns.keys())


def test_only_what_is_new_is_copied(place: Place, machine: Machine):
    assert place.machine("there").ingest("alpha").exit_code == 0
    first, again = pull(place.target), pull(place.target)
    assert (first.seq, first.n_new) == (2, 1)
    assert (again.seq, again.n_new) == (2, 0)
    place.machine("there").jevdb("runs", "withdraw", "alpha", "--reason", "leak")
    assert pull(place.target).n_new == 1
    with open_reader(first.path) as mirror:
        found = mirror.execute("select event, reason from run_events").fetchall()
    assert found == [("withdrawn", "leak")]


def stored(path: Path) -> dict[str, list[Any]]:
    """Return every row of a warehouse file."""
    with open_reader(path) as warehouse:
        return {
            table: warehouse.execute(f"from {table} order by all").fetchall()
            for table in TABLES
        }


def test_bit_by_bit_a_mirror_comes_to_hold_all(
    empty_place: Place, monkeypatch: pytest.MonkeyPatch
):
    """Rows that are read ahead, and rows that pass through, arrive in the same way."""
    publisher, folder = empty_place.machine("there"), empty_place.folder
    write_rows(folder / "items.jsonl", benchmark_rows(20))
    faulty = write_rows(folder / "beta.jsonl", answer_rows(20, "beta"))
    faulty.write_text(faulty.read_text() + "{broken\n")
    run = ("--benchmark", "small", "--model")
    (published,) = (RESULTS / "convaiinnovations__laya").glob("*/DecisionBench*.json")
    (folder / "acme.sql").write_text(SCOPE)
    ahead, passing = empty_place.machine("ahead"), empty_place.machine("passing")
    readers = {news.LITTLE_BYTES: ahead, 0: passing}
    for code, *words in [
        (0, "ingest", "items", f"{folder}/items.jsonl", "--benchmark", "small"),
        (3, "ingest", "run", f"{faulty}", *run, "beta", "--keep-rejects"),
        (0, "runs", "private", "beta"),
        (0, "ingest", "results", f"{published}"),
        (0, "scopes", "add", f"{folder}/acme.sql"),
        (0, "baseline", "set", "beta", "--reason", "the first"),
        (0, "export", "--snapshot", "first", "--include-private", "--out", "-"),
    ]:
        done = publisher.jevdb(*words)
        assert done.exit_code == code, done.output
        with caching(publisher.cache):
            whole = stored(empty_place.target.mirror)
        for little, reader in readers.items():
            monkeypatch.setattr(news, "LITTLE_BYTES", little)
            with caching(reader.cache):
                pulled = pull(empty_place.target)
            assert pulled.n_new == 1
            assert stored(pulled.path) == whole


def test_a_mirror_that_another_command_brought_up_to_date_meanwhile(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    assert place.machine("there").ingest("alpha").exit_code == 0
    assert place.machine("there").ingest("beta", "1").exit_code == 0
    opened = pulling.mirror_writer

    def after_another(*given: Any) -> Any:
        monkeypatch.setattr(pulling, "mirror_writer", opened)
        assert pull(place.target).n_new == 2
        assert place.machine("third").ingest("gamma", "2").exit_code == 0
        return opened(*given)

    monkeypatch.setattr(pulling, "mirror_writer", after_another)
    with caching(machine.cache):
        pulled = pull(place.target)
    assert (pulled.seq, pulled.n_new) == (4, 3)
    with open_reader(pulled.path) as mirror:
        found = mirror.execute("select name from models order by name").fetchall()
    assert found == [("alpha",), ("beta",), ("gamma",)]


def test_a_mirror_that_is_deleted_meanwhile(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    assert place.machine("there").ingest("alpha").exit_code == 0
    opened = pulling.mirror_writer

    def without_file(path: Path, *given: Any) -> Any:
        path.unlink()
        return opened(path, *given)

    monkeypatch.setattr(pulling, "mirror_writer", without_file)
    with caching(machine.cache):
        assert pull(place.target).seq == 2
        assert place.target.mirror.exists()


@pytest.mark.parametrize("rebuild", [False, True])
def test_what_is_published_while_the_catalog_is_asked(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch, rebuild: bool
):
    """The first rows of a table then, a run's rejects, are not in the state read."""
    there = place.machine("there")
    assert there.ingest("alpha").exit_code == 0
    faulty = write_rows(place.folder / "beta.jsonl", answer_rows(20, "1"))
    faulty.write_text(faulty.read_text() + "{broken\n")
    run = ("--benchmark", "small", "--model", "beta", "--keep-rejects")
    asked = Lake.catalog_rows

    def then_publish(lake: Lake, sql: str) -> list[Row]:
        answer = asked(lake, sql)
        monkeypatch.setattr(Lake, "catalog_rows", asked)
        assert there.jevdb("ingest", "run", f"{faulty}", *run).exit_code == 3
        return answer

    with caching(machine.cache):
        monkeypatch.setattr(Lake, "catalog_rows", then_publish)
        assert pull(place.target, rebuild=rebuild).seq == 2
        pulled = pull(place.target)
    assert (pulled.seq, pulled.n_new) == (3, 1)
    with caching(there.cache):
        assert stored(pulled.path) == stored(place.target.mirror)


def test_the_schema_is_read_where_the_catalog_does_not_tell_it(
    place: Place, machine: Machine
):
    assert place.machine("there").ingest("alpha").exit_code == 0
    place.psql("delete from ducklake_file_column_stats")
    listed = json.loads(machine.jevdb("runs", "--format", "json").stdout)
    assert [row["model"] for row in listed] == ["alpha"]


def test_a_mirror_of_a_lake_that_was_replaced_is_made_anew(
    place: Place, machine: Machine
):
    """The same place in the ledger is held by another ingest."""
    assert machine.ingest("alpha").exit_code == 0
    with open_reader(place.target.mirror) as mirror:
        assert mirror.execute("select count(*) from runs").fetchall() == [(1,)]
    place.forget_since(2)
    assert place.machine("there").ingest("beta", "1").exit_code == 0
    listed = json.loads(machine.jevdb("runs", "--format", "json").stdout)
    assert [row["model"] for row in listed] == ["beta"]
    place.forget_since(2)
    assert machine.ingest("gamma", "2").exit_code == 0
    assert machine.jevdb("check").exit_code == 0


def test_a_mirror_can_be_deleted_at_any_time(place: Place, machine: Machine):
    assert machine.ingest("alpha").exit_code == 0
    before = machine.jevdb(*REPORT)
    place.target.mirror.unlink()
    assert machine.jevdb(*REPORT).stdout == before.stdout
    rebuilt = machine.jevdb("lake", "mirror", "--rebuild")
    assert rebuilt.stdout == f"{place.target.mirror}\n"
    assert rebuilt.stderr == "at ingest 2, 3 new\n"


@pytest.mark.parametrize(
    "damage",
    [
        *("a flipped byte", "a lost table"),
        pytest.param("no database", marks=pytest.mark.long),
        pytest.param("cut short", marks=pytest.mark.long),
    ],
)
def test_a_damaged_mirror_is_told_to_be_deleted(
    place: Place, machine: Machine, damage: str
):
    assert machine.ingest("alpha").exit_code == 0
    before = machine.jevdb(*REPORT)
    with caching(machine.cache):
        mirror = place.target.mirror
    if damage == "no database":
        mirror.write_text("a note")
    elif damage == "a flipped byte":
        content = bytearray(mirror.read_bytes())
        content[3 * 4096 + 2000] ^= 0xFF
        mirror.write_bytes(content)
    elif damage == "cut short":
        mirror.write_bytes(mirror.read_bytes()[:20_000])
    else:
        with duckdb.connect(mirror) as client:
            client.execute("drop table predictions cascade")
    told = machine.jevdb(*REPORT)
    assert told.exit_code == 1
    (line,) = told.stderr.splitlines()
    assert line.startswith(f"error: {mirror}: ")
    assert line.endswith("delete it: it mirrors a lake, and is made anew")
    seen = machine.jevdb("doctor")
    assert seen.exit_code == 1
    assert "delete it: it mirrors a lake, and is made anew" in seen.output
    mirror.unlink()
    assert machine.jevdb(*REPORT).stdout == before.stdout


def test_a_mirror_and_its_folder_are_their_users_alone(place: Place, tmp_path: Path):
    """Its log and the folder of what is known, too, whatever the umask."""
    cache = tmp_path / "home" / "lakes"
    before = os.umask(0)
    try:
        with caching(cache), seen_beside(cache) as seen:
            path = pull(place.target).path
            with mirror_writer(path, 10, None) as mirror:
                mirror.execute("pragma disable_checkpoint_on_shutdown")
                mirror.execute("create table more as select 1 as a")
                assert log_of(path).stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert {each for each in seen if each & 0o077} == set()
    assert {cache.stat().st_mode & 0o777, (cache / "known").stat().st_mode & 0o777} == {
        0o700
    }


@contextmanager
def seen_beside(folder: Path) -> Iterator[set[int]]:
    """Give the modes of all files that are ever in a folder while the block runs."""
    seen: set[int] = set()
    done = threading.Event()

    def look() -> None:
        while not done.wait(0.001):
            for each in folder.glob("*"):
                with suppress(FileNotFoundError):
                    seen.add(each.stat().st_mode & 0o777)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        done.set()
        looking.join()


def read_meanwhile(place: Place, machines: int, runs: int) -> int:
    """Read while machines publish and files are merged; return how many states."""
    jobs = [
        [Job(f"model-{machine}-{run}", f"{machine}-{run}") for run in range(runs)]
        for machine in range(machines)
    ]
    reader = place.machine("reader")
    seen: dict[int, str] = {}
    with publish_at_once_in_background(place, jobs) as writers, caching(reader.cache):
        while writers.are_busy():
            report = reader.jevdb(*REPORT)
            assert report.exit_code == 0, report.output
            with open_reader(place.target.mirror) as mirror:
                seq = mirror.execute("select max(seq) from ingests").fetchall()[0][0]
            seen[seq] = report.stdout
            maintain.compact(place.target)
    assert {outcome.word for outcome in writers.outcomes} == {"stored"}
    with caching(reader.cache):
        for seq, text in seen.items():
            then = reader.jevdb(*REPORT, "--as-of", str(seq))
            assert then.stdout == text
        assert reader.jevdb("check").exit_code == 0
    with place.reading() as lake:
        assert lake.rows("select count(*) from runs") == [(machines * runs,)]
    return len(seen)


def test_reports_while_others_publish_and_files_are_merged(place: Place):
    assert read_meanwhile(place, machines=1, runs=3) >= 1


@pytest.mark.long
def test_many_reports_while_others_publish_and_files_are_merged(place: Place):
    assert read_meanwhile(place, machines=4, runs=40) >= 10
