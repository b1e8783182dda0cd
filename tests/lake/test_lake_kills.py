"""Whoever is killed, stopped or cut off, whenever: a run is whole, and there once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from places import Machine, Place, assert_each_once, caching
from servers import LosingProxy
from workers import CONTEXT, Job, Outcome, prepare, publish_prepared, start

from jevdb.ingest import store_run
from jevdb.lake import locking
from jevdb.lake.connecting import Lake
from jevdb.lake.publishing import publishing
from jevdb.lake.target import resolve


def _publish_on(dsn: str, cache: Path, jobs: Sequence[Job], results: Any) -> None:
    """Publish runs, one after the other, and tell of each."""
    os.environ["JEVDB_CACHE"] = str(cache)
    for job in jobs:
        prepared = prepare(job, resolve(dsn).mirror, cache)
        try:
            results.put(publish_prepared(dsn, job, prepared))
        except Exception as error:  # told to the test, which fails on it
            results.put(Outcome(job, f"{type(error).__name__}: {error}", 0))


def publish_again(place: Place, jobs: Sequence[Job]) -> Counter[str]:
    """Publish every job once more, from a new machine; return what became of them."""
    machine = place.machine("again")
    words: Counter[str] = Counter()
    with caching(machine.cache), publishing(place.target) as publisher:
        for job in jobs:
            prepared = prepare(job, place.mirror, machine.cache)
            done = publisher.publish(lambda found, run=prepared: store_run(found, run))
            words[done.outcome] += 1
    return words


def kill_writers(place: Place, rounds: int, writers: int, runs: int) -> None:
    """Kill writers at random moments of their way; then bring their work to its end."""
    dice = random.Random(7)
    jobs: list[Job] = []
    killed = 0
    for number in range(rounds):
        results = CONTEXT.Queue()
        mine = [
            [
                Job(f"model-{number}-{w}-{run}", f"{number}{w}{run}")
                for run in range(runs)
            ]
            for w in range(writers)
        ]
        jobs += [job for its in mine for job in its]
        processes = [
            start(_publish_on, place.dsn(), place.machine(f"{w}").cache, its, results)
            for w, its in enumerate(mine)
        ]
        results.get(timeout=120)  # somebody is under way
        for process in dice.sample(processes, len(processes)):
            time.sleep(dice.random() * 0.3)
            process.kill()
        for process in processes:
            process.join(60)
            killed += process.exitcode == -signal.SIGKILL
    assert killed >= rounds * writers * 3 // 4
    with Lake(place.target, read_only=True) as lake:
        (found,) = lake.rows("select count(*) from runs")
    words = publish_again(place, jobs)
    assert words == Counter(already_there=found[0], stored=len(jobs) - found[0])
    assert_each_once(place)


def test_writers_that_are_killed(place: Place):
    kill_writers(place, rounds=1, writers=2, runs=4)


@pytest.mark.long
def test_sixty_writers_that_are_killed(place: Place):
    kill_writers(place, rounds=15, writers=4, runs=12)


def terminate_backends(place: Place, count: int, runs: int) -> None:
    """End server processes of a writer at random, while it publishes."""
    jobs = [Job(f"model-{run}", str(run)) for run in range(runs)]
    results = CONTEXT.Queue()
    cache = place.machine("writer").cache
    process = start(_publish_on, place.dsn(), cache, jobs, results)
    dice, ended = random.Random(7), 0
    while process.is_alive():
        time.sleep(dice.random() * 0.4)
        if ended < count:
            ended += int(
                place.psql(
                    "select count(pg_terminate_backend(pid)) from (select pid "
                    "from pg_stat_activity where datname = current_database() "
                    "and pid <> pg_backend_pid() order by random() limit 1) as one"
                )
            )
    process.join(60)
    outcomes = [results.get(timeout=10) for _ in jobs]
    assert {outcome.word for outcome in outcomes} <= {"stored", "already_there"}
    assert ended >= count
    with Lake(place.target, read_only=True) as lake:
        assert lake.rows("select count(*) from runs") == [(runs,)]
    assert_each_once(place)


def test_server_processes_that_are_ended(place: Place):
    terminate_backends(place, count=3, runs=5)


@pytest.mark.long
def test_fifty_server_processes_that_are_ended(place: Place):
    terminate_backends(place, count=50, runs=120)


def _stop_with_the_lock(dsn: str, cache: Path, job: Job, results: Any) -> None:
    """Take the lock, and stop; whoever waits gets it a second later."""
    locking.LOCK_HELD_S = 1
    take = Lake.lock

    def stopping(lake: Lake, *arguments: object) -> None:
        take(lake, *arguments)
        Lake.lock = take
        os.kill(os.getpid(), signal.SIGSTOP)

    Lake.lock = stopping
    _publish_on(dsn, cache, [job], results)


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize(
    "seed, word",
    [
        ("other", "conflict"),
        pytest.param("same", "already_there", marks=pytest.mark.long),
    ],
)
def test_a_holder_that_stops_is_fenced(
    place: Place, machine: Machine, seed: str, word: str
):
    """It loses the lock; what it then tries to commit is refused by the catalog."""
    results = CONTEXT.Queue()
    cache = place.machine("stopped").cache
    job = Job("alpha", "same")
    process = start(_stop_with_the_lock, place.dsn(), cache, job, results)
    for _ in range(600):
        if state_of(process.pid) == "T":
            break
        time.sleep(0.05)
    try:
        published = machine.ingest("alpha", seed)
        assert published.exit_code == 0, published.output
    finally:
        os.kill(process.pid, signal.SIGCONT)
    assert results.get(timeout=60).word == word
    process.join(60)
    assert_each_once(place)


@pytest.mark.parametrize("delivers", [True, False])
def test_a_commit_whose_answer_is_lost(
    place: Place, monkeypatch: pytest.MonkeyPatch, delivers: bool
):
    """The line is cut after, or before, COMMIT arrives; the run is there, whole."""
    with closing(LosingProxy(place.postgres.port, delivers)) as proxy:
        dsn = place.dsn(port=proxy.port)
        cache = place.machine("cut", resolve(dsn)).cache
        commit = Lake._commit

        def losing(lake: Lake) -> None:
            proxy.armed = proxy.lost == 0
            commit(lake)

        monkeypatch.setattr(Lake, "_commit", losing)
        job = Job("alpha", "0")
        with caching(cache):
            prepared = prepare(job, resolve(dsn).mirror, cache)
            outcome = publish_prepared(dsn, job, prepared)
    assert proxy.lost == 1
    assert outcome.word == "stored"
    assert_each_once(place)
    assert place.machine("there").jevdb("lake", "verify").exit_code == 0


def test_an_interrupt_during_the_commit_takes_no_file_away(
    place: Place, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    """The commit stands, though the publisher never hears of it."""
    commit = Lake._commit

    def interrupted(lake: Lake) -> None:
        commit(lake)
        raise KeyboardInterrupt

    job = Job("alpha", "0")
    prepared = prepare(job, place.target.mirror, machine.cache)
    with monkeypatch.context() as patch:
        patch.setattr(Lake, "_commit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            publish_prepared(place.dsn(), job, prepared)
    assert publish_prepared(place.dsn(), job, prepared).word == "already_there"
    assert_each_once(place)
