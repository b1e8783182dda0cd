"""Interrupts (Ctrl-C): no lock, no hang, and what was stored is known and said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import jevdb
from jevdb.base.connection import Connection
from jevdb.base.errors import Interrupted
from jevdb.warehouse.database import open_writer, transaction
from jevdb.warehouse.interrupts import interrupts_held

LONG_QUERY = "select sum(a.range * b.range) from range(10000000) a, range(100000) b"
"""It takes minutes, and listens to an interrupt."""

INTERRUPTED_AGAIN_AND_AGAIN = """
import faulthandler, json, os, random, signal, sys, threading, time
import jevdb

path, times = sys.argv[1], int(sys.argv[2])
N = 200
kept = []
warehouse = jevdb.open(path, read_only=False)
warehouse.ingest_items(
    [{"item_id": str(i), "type": "noul", "gold": "yes"} for i in range(N)],
    benchmark="b",
)


def store(k):
    answers = [{"item_id": str(i), "probabilities": {"yes": 0.75}} for i in range(N)]
    return warehouse.ingest_run(answers, benchmark="b", model=f"m{k}")


store(0)
start = time.monotonic()
store(1)
takes = time.monotonic() - start
rng = random.Random(times)
faulthandler.dump_traceback_later(60 + 20 * times * takes, exit=True)
for k in range(2, times + 2):
    later = threading.Timer(
        rng.uniform(0, 1.2 * takes), os.kill, (os.getpid(), signal.SIGINT)
    )
    said = "returned"
    try:
        later.start()
        store(k)
        later.join()
        time.sleep(0.01)
    except KeyboardInterrupt as error:
        # As a notebook keeps the last exception, and with it every frame.
        kept.append(error)
        said = getattr(error, "was_stored", "elsewhere")
    later.join()
    there = any(run.model == f"m{k}" for run in warehouse.runs())
    print(json.dumps([k, said, there]), flush=True)
"""


@pytest.mark.parametrize("times", [6, pytest.param(200, marks=pytest.mark.long)])
def test_an_ingest_can_be_interrupted_at_any_time(tmp_path: Path, times: int):
    path = tmp_path / "w.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AGAIN_AND_AGAIN, str(path), str(times)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(outcomes) == times
    for k, said, there in outcomes:
        # Before and after its blocks an interrupt is Python's own and says nothing.
        assert said == "elsewhere" or there == (said in ("returned", True)), k
    with open_writer(path) as connection:
        [(n_runs, n_rows)] = connection.execute(
            "select count(distinct run_id), count(*) from predictions"
        ).fetchall()
    stored = 2 + sum(there for _, _, there in outcomes)
    assert (n_runs, n_rows) == (stored, 200 * stored)


class Storing(jevdb.Warehouse):
    """A warehouse into which anything can be stored."""

    def store(self, action: Callable[[Connection], object]) -> None:
        self._write(action)


@pytest.fixture
def storing(warehouse_path: Path) -> Storing:
    return Storing(warehouse_path, read_only=False, lock_timeout=0)


def note(connection: Connection) -> None:
    connection.execute(
        "insert into ingests select max(seq) + 1, 'note', now()::timestamp, 'event', "
        "'test', null from ingests"
    )


def n_notes(path: Path) -> int:
    with open_writer(path, lock_timeout=0) as connection:
        found = connection.execute(
            "select count(*) from ingests where ingest_id = 'note'"
        ).fetchall()
    return int(found[0][0])


def test_before_the_commit_nothing_is_stored(storing: Storing, warehouse_path: Path):
    def action(connection: Connection) -> None:
        with transaction(connection):
            note(connection)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted, match="nothing was stored") as caught:
        storing.store(action)
    assert caught.value.was_stored is False
    assert n_notes(warehouse_path) == 0


def test_after_the_commit_it_is_stored(storing: Storing, warehouse_path: Path):
    def action(connection: Connection) -> None:
        with transaction(connection):
            note(connection)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted, match="only after it was stored") as caught:
        storing.store(action)
    assert caught.value.was_stored is True
    assert n_notes(warehouse_path) == 1


def test_a_running_query_ends_at_once(storing: Storing, warehouse_path: Path):
    def action(connection: Connection) -> None:
        with transaction(connection):
            note(connection)
            later = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            later.start()
            connection.execute(LONG_QUERY).fetchall()

    with pytest.raises(Interrupted, match="nothing was stored"):
        storing.store(action)
    assert n_notes(warehouse_path) == 0


def test_a_read_says_only_that_it_was_interrupted(storing: Storing):
    later = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    later.start()
    with pytest.raises(Interrupted, match=r"^interrupted$"):
        storing.sql(LONG_QUERY)
    assert storing.sql("select 1 as one").num_rows == 1


def test_a_handler_of_the_callers_own_is_asked():
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            assert seen == []
        assert seen == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_where_interrupts_are_ignored_they_stay_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_third_interrupt_is_raised_where_it_comes():
    with pytest.raises(Interrupted), interrupts_held():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it went on")
