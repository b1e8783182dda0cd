"""`jevdb sql` ends: when it is interrupted, when its time is over, on any argument."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from commandline import COMMAND, jevdb

LISTENING = "select sum(a.range * b.range) from range(10000000) a, range(100000) b"
DEAF = "select levenshtein(repeat('a', 200000), repeat('b', 200000)) from range(1)"
"""One call of a function of DuckDB that takes a minute."""

SQL_THAT_IS_INTERRUPTED = """
import os, signal, sys, threading, time
from jevdb.cli import main


def interrupt():
    print(time.monotonic(), file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGINT)


later = threading.Timer(1.5, interrupt)
later.daemon = True
later.start()
main()
"""


@pytest.mark.parametrize("query", [LISTENING, DEAF])
def test_an_interrupt_ends_it_within_a_second(warehouse_path: Path, query: str):
    done = subprocess.run(
        [
            *(sys.executable, "-c", SQL_THAT_IS_INTERRUPTED),
            *("--db", str(warehouse_path), "sql", "--timeout", "0", query),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    ended = time.monotonic()
    at, *said = done.stderr.split("\n", 1)
    assert (done.returncode, done.stdout) == (130, "")
    assert said == ["\ninterrupted\n"]
    # A second, and what a busy machine takes to notice.
    assert ended - float(at) < 1 + 2


@pytest.mark.parametrize("query", [LISTENING, DEAF])
def test_its_time_can_be_limited(warehouse_path: Path, query: str):
    done = subprocess.run(
        [*COMMAND, "--db", str(warehouse_path), "sql", "--timeout", "0.5", query],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "error: the query took longer than 0.5 s; give it more with --timeout SECONDS "
        "(0 is no limit)\n"
    )


def test_a_query_that_is_quick_is_not_bothered(warehouse_path: Path):
    done = jevdb(warehouse_path, "sql", "--timeout", "30", "select 1 as one")
    assert (done.exit_code, done.stdout) == (0, "one\n  1\n")


def test_without_a_terminal_there_is_a_limit():
    from jevdb.commands.limits import default_timeout

    assert default_timeout() == 60


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("py_mcnemar_exact(2000000000, 2000000000)", "up to 100,000 items in all"),
        ("py_mcnemar_exact(3, 100000000000000000000)", "up to 100,000 items in all"),
        ("py_mcnemar_exact(-1, 2)", "a count of items cannot be negative"),
        ("py_holm([0.1, null])", "a p-value is between 0 and 1"),
        ("py_holm([2.0])", "a p-value is between 0 and 1"),
        ("py_wilson_interval(-1, 0, 0.9)", "-1 of 0 is no share"),
        ("py_wilson_interval(1, 3, 'nan'::double)", "a confidence is between 0 and 1"),
        ("py_paired_interval([1.0, null], [0.0, 1.0], ['a', 'b'])", "not null"),
        ("py_paired_interval([1.0, 2.0], [0.0, 1.0], ['a', null])", "not null"),
        ("py_paired_interval([], [], [])", "a paired interval needs "),
        ("py_paired_interval([1.0], [], [])", "the same items in every list"),
        ("py_paired_interval(['nan'::double], [0.0], ['a'])", "not NaN"),
        ("py_clopper_pearson(5, 3, 0.9)", "5 of 3 is no share"),
    ],
)
def test_a_statistic_refuses_what_it_cannot_take(
    warehouse_path: Path, call: str, said: str
):
    refused = jevdb(warehouse_path, "sql", f"select {call}")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("error: ")
    assert said in refused.stderr
    assert "Python exception" not in refused.stderr


@pytest.mark.parametrize(
    "call",
    [
        "py_mcnemar_exact(null, 2)",
        "py_holm(null)",
        "py_wilson_interval(null, 3, 0.9)",
        "py_paired_interval(null, [0.0], ['a'])",
    ],
)
def test_of_null_a_statistic_is_null(warehouse_path: Path, call: str):
    found = jevdb(warehouse_path, "sql", f"select {call} as given", "--format", "jsonl")
    assert found.stdout == '{"given": null}\n'


LONG_UNION_ON_ONE_THREAD = """
import sys
from pathlib import Path

from jevdb.scoring.selection import Selection, selected
from jevdb.warehouse.database import open_reader
from jevdb.warehouse.settings import SETTINGS

SETTINGS["threads"] = 1
with open_reader(Path(sys.argv[1])) as connection:
    with selected(connection, Selection(by="type")):
        rows = connection.execute("select run_id, metric, reason from report_metrics")
        print(sum(1 for row in rows.fetchall()))
        rows = connection.execute("select count(*) from report_metrics")
        print(rows.fetchall()[0][0])
"""


def test_a_result_larger_than_the_buffer_ends_on_one_processor(demo_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", LONG_UNION_ON_ONE_THREAD, str(demo_path)],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    fetched, counted = map(int, done.stdout.split())
    assert fetched == counted > 10_000


@pytest.mark.long
def test_a_board_of_a_suite_of_millions_of_answers_ends(pytestconfig: pytest.Config):
    """Its answers were fetched while they were computed, and waited for each other."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.suites"],
        capture_output=True,
        check=True,
        cwd=pytestconfig.rootpath,
        text=True,
        timeout=900,
    )
    assert [line.split()[0] for line in done.stdout.splitlines()[1:3]] == [
        *("areas", "borda")
    ]


INTERRUPTED_AT_AN_IMPORT = """
import os, signal, sys


module = sys.argv.pop(1)


class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, Interrupting())
from jevdb.entry import main
main()
"""


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("typer", "interrupted before it began"),
        ("jevdb.commands.suites", "interrupted before it began"),
        ("duckdb", "interrupted"),
    ],
)
def test_a_command_that_still_starts_ends_without_a_traceback(
    warehouse_path: Path, module: str, said: str
):
    """Before it knows its arguments, and while it imports what it works with."""
    done = subprocess.run(
        [
            *(sys.executable, "-c", INTERRUPTED_AT_AN_IMPORT),
            *(module, "--db", str(warehouse_path), "benchmarks"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"\n{said}\n"
