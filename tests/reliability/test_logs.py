"""The log that a killed process leaves behind can be read, whatever it was doing."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from commandline import METHOD, jevdb
from scenes import BENCHMARK, Scene, assert_whole, copied, exported, ingest, write_lines

from jevdb.warehouse.connecting import log_of
from jevdb.warehouse.database import open_writer, upgrade

SCOPE = """\
-- mine: every item of a benchmark with this scoring.
select benchmark_id, 'main' as report_row, 'all' as subset, item_id
from golden_items
where scoring = 'mine'
"""


@contextmanager
def everything_stays_in_the_log() -> Iterator[None]:
    """Let no connection write its log into the file, as after a kill."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(duckdb, "connect", functools.partial(_logging, duckdb.connect))
        yield


def _logging(connect, *arguments, **options):
    connection = connect(*arguments, **options)
    connection.execute("pragma disable_checkpoint_on_shutdown")
    connection.execute("set wal_autocheckpoint = '1TB'")
    return connection


def test_the_log_of_every_kind_of_change_can_be_read(scene: Scene, tmp_path: Path):
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    method, scope = tmp_path / "mine.toml", tmp_path / "mine.sql"
    method.write_text(METHOD)
    scope.write_text(SCOPE)
    revised = write_lines(
        tmp_path / "revised.jsonl",
        [{**json.loads(scene.items.read_text().splitlines()[1]), "gold": "option b"}],
    )
    changes = [
        ["ingest", "items", str(scene.items), "--benchmark", "more"],
        ingest(scene.answers),
        [*("ingest", "items", str(revised), *BENCHMARK, "--revise", "--reason", "x")],
        ["runs", "relabel", "second", "renamed"],
        ["runs", "withdraw", "first", "--reason", "a test"],
        ["methods", "add", str(method)],
        ["scopes", "add", str(scope)],
        ["runs", "private", "second"],
        ["runs", "public", "second"],
        ["export", "--snapshot", "kept", "--out", str(tmp_path / "kept.json")],
    ]
    for change in changes:
        with everything_stays_in_the_log():
            result = jevdb(path, *change)
        assert result.exit_code == 0, (change, result.output)
        assert log_of(path).exists(), change
        duckdb.connect(path).close()
        assert not log_of(path).exists()
        assert_whole(path)


def test_an_upgrade_leaves_no_log(scene: Scene, tmp_path: Path):
    """DuckDB 1.5 could not read it: it alters tables whose checks call functions."""
    path = tmp_path / "w.duckdb"
    copied(scene.path, path)
    before = exported(path)
    with open_writer(path) as connection:
        upgrade(connection, to="0001")
    with everything_stays_in_the_log(), open_writer(path):
        pass
    assert not log_of(path).exists()
    assert exported(path) == before
    assert_whole(path)
