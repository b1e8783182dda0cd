"""Editions: frozen bytes, made again whatever came since; the five conditions of §7."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from building import (
    add_gold_revision,
    add_run,
    insert,
    next_seq,
    open_for_a_test,
)
from making import copied
from suite_world import answers, choices, member, store, toml

import jevdb
from jevdb.api.keeping import restore
from jevdb.base.connection import Connection
from jevdb.base.errors import CheckError, ConflictError, JevdbError, UsageError
from jevdb.suites.edition_diff import diff_editions
from jevdb.suites.editions import check_edition, find_edition, freeze, notices
from jevdb.suites.exported import to_bytes
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import Request
from jevdb.suites.storing import add_suite, find_suite
from jevdb.warehouse.database import open_writer, upgrade

N = 40


def marks(n: int) -> str:
    return "+" * n + "-" * (N - n)


def event(connection: Connection, run_id: str, word: str) -> None:
    seq = next_seq(connection, "event")
    row = {"seq": seq, "run_id": run_id, "event": word}
    insert(connection, "run_events", [row])


@pytest.fixture
def small(warehouse: Connection, tmp_path: Path) -> Connection:
    store(
        warehouse,
        {
            "b1": {"x": marks(30), "y": marks(20), "z": marks(10)},
            "b2": {"x": marks(28), "y": marks(24), "z": marks(12)},
        },
        n=N,
    )
    members = [member("b1", exclude=["q1"], exclude_reason="spoilt"), member("b2")]
    add_suite(warehouse, toml(tmp_path / "s.toml", members, also=["borda"]))
    return warehouse


def frozen(connection: Connection, name: str, **keys: Any) -> bytes:
    suite = find_suite(connection, "small")
    edition, _ = freeze(connection, name, Request(suite, **keys))
    return edition.content


def test_an_edition_is_the_same_whatever_comes_later(small: Connection):
    content = frozen(small, "may")
    runs = dict(
        small.execute(
            "select model || ' ' || benchmark_id, run_id from run_states"
        ).fetchall()
    )
    items = choices([f"q{n}" for n in range(1, N + 1)])
    revised = [{**item, "gold": "b"} for item in items[:5]]
    add_gold_revision(small, "b1", 2, revised)
    add_run(small, "b1", answers(marks(40)), model="x")
    add_run(small, "b1", answers(marks(40)), model="new")
    event(small, runs["x b1"], "superseded")
    event(small, runs["y b2"], "withdrawn")
    now = leaderboard(small, Request(find_suite(small, "small")))
    assert to_bytes(now) != content
    assert find_edition(small, "may").content == content
    checked = check_edition(small, "may")
    assert (checked.is_same, checked.differences, checked.program) == (True, [], [])
    words = notices(small, find_edition(small, "may"))
    assert [each.partition(": run")[0] for each in words] == ["x on b1", "y on b2"]


def test_a_restored_bundle_has_it_byte_for_byte(
    small: Connection, warehouse_path: Path, tmp_path: Path
):
    content = frozen(small, "may")
    small.close()
    copy = tmp_path / "copy.duckdb"
    with jevdb.open(warehouse_path) as opened:
        opened.backup(tmp_path / "b.tar")
    restore(tmp_path / "b.tar", copy)
    with jevdb.open(copy) as opened:
        assert opened.edition("may").edition.content == content
        found = opened.check_edition("may")
        assert found.passed
        assert found.checked.is_same
        assert opened.suite("small").scores.request.suite.id == "small@1"


def test_an_upgraded_and_compacted_file_has_it_byte_for_byte(
    small: Connection, warehouse_path: Path
):
    """As the first schema with suites has it, brought to today's, and rewritten."""
    content = frozen(small, "may")
    small.close()
    with open_writer(warehouse_path) as connection:
        upgrade(connection, to="0007")
    with jevdb.open(warehouse_path, read_only=False) as opened:
        assert opened.check_edition("may").checked.is_same
        opened.compact()
        assert opened.edition("may").edition.content == content
        assert opened.check_edition("may").checked.is_same
        assert opened.sql("from wrong_suites").num_rows == 0


def test_the_recipe_says_what_it_was_made_of(small: Connection):
    content = frozen(small, "may")
    [(text, digest, sha256)] = small.execute(
        "select document, document_sha256, content_sha256 from editions"
    ).fetchall()
    assert hashlib.sha256(text.encode()).hexdigest() == digest
    assert hashlib.sha256(content).hexdigest() == sha256
    document = json.loads(text)
    assert set(document) == {
        *("edition", "suite", "version", "suite_sha256", "method", "method_sha256"),
        *("seq", "benchmarks", "entrants", "exclusions", "program", "note"),
    }
    assert document["exclusions"] == [
        {"benchmark": "b1", "item": "q1", "reason": "spoilt"}
    ]
    assert set(document["benchmarks"][0]) == {
        *("id", "gold_revision", "items_sha256", "scoring", "scope_version"),
        "scope_sha256",
    }
    assert set(document["program"]) == {
        *("jevdb", "schema_revision", "sql_sha256", "duckdb")
    }
    assert [each["entrant"] for each in document["entrants"]] == ["x", "y", "z"]
    assert [run["benchmark"] for run in document["entrants"][0]["runs"]] == ["b1", "b2"]


def test_a_name_is_for_ever_and_private_runs_stay_out(small: Connection):
    frozen(small, "may")
    before = small.execute("select count(*) from ingests").fetchall()
    frozen(small, "may")
    assert small.execute("select count(*) from ingests").fetchall() == before
    with pytest.raises(ConflictError, match="a name is for ever"):
        frozen(small, "may", dropped=["z"])
    with pytest.raises(UsageError, match="nobody takes part"):
        frozen(small, "june", dropped=["x", "y", "z"])
    [[seq]] = small.execute("select max(seq) from ingests").fetchall()
    [[run_id]] = small.execute(
        "select run_id from run_states where model = 'z' and benchmark_id = 'b1'"
    ).fetchall()
    event(small, run_id, "private")
    names = {
        each["model"]: each["rank"]
        for each in json.loads(frozen(small, "june", as_of=seq))["entrants"]
    }
    assert names == {"x": 1, "y": 2, "z": None}, "private today, though not then"


def test_a_check_names_every_number_that_is_another(small: Connection):
    frozen(small, "may")
    small.execute(
        "update predictions set probabilities = [0.25, 0.75] "
        "where item_id = 'q2' and run_id in "
        "(select run_id from run_states where model = 'x' and benchmark_id = 'b1')"
    )
    checked = check_edition(small, "may")
    assert not checked.is_same
    found = {
        (d.entrant, d.member, d.number): (d.then, d.now) for d in checked.differences
    }
    # 29 of the 39 items that count are right, then 28.
    assert found["x", "b1 accuracy", "raw"] == (29 / 39, 28 / 39)
    assert ("x", "", "score value") in found
    assert not [key for key in found if key[0] == "y"]


def test_damaged_bytes_are_told(small: Connection):
    frozen(small, "may")
    small.execute("update editions set content = replace(content, '28', '29')")
    with pytest.raises(JevdbError, match="do not give its digest"):
        find_edition(small, "may")
    assert small.execute("select subject from wrong_suites").fetchall() == [
        ("edition may",)
    ]


def test_a_move_is_taken_apart_by_cause(small: Connection, tmp_path: Path):
    frozen(small, "may")
    # Rows: x gains 4 of 40 in b2. Gold: q40 of b2 turns to what all said. Suite: b1
    # counts three times, and all its items.
    items = choices([f"q{n}" for n in range(1, N + 1)])
    add_gold_revision(small, "b2", 2, [{**items[-1], "gold": "b"}])
    [[old]] = small.execute(
        "select run_id from run_states where model = 'x' and benchmark_id = 'b2'"
    ).fetchall()
    add_run(small, "b2", answers(marks(32)), model="x")
    event(small, old, "superseded")
    add_run(small, "b1", answers(marks(5)), model="w")
    event(
        small,
        small.execute(
            "select run_id from run_states where model = 'z' and benchmark_id = 'b1'"
        ).fetchall()[0][0],
        "withdrawn",
    )
    event(
        small,
        small.execute(
            "select run_id from run_states where model = 'z' and benchmark_id = 'b2'"
        ).fetchall()[0][0],
        "withdrawn",
    )
    members = [member("b1", weight=3), member("b2")]
    path = toml(tmp_path / "s2.toml", members, version="2", also=["borda"])
    add_suite(small, path)
    frozen(small, "june")
    found = diff_editions(small, "may", "june")
    assert (found.new, found.gone) == (["w"], ["z"])
    [x, y] = found.moves
    before = 50 * (29 / 39 + 28 / 40)
    by_suite = 100 * (3 * 30 / 40 + 28 / 40) / 4
    by_gold = 100 * (3 * 30 / 40 + 29 / 40) / 4
    after = 100 * (3 * 30 / 40 + 33 / 40) / 4
    assert x[1:] == pytest.approx(
        (before, after, by_suite - before, by_gold - by_suite, after - by_gold),
        abs=1e-9,
    )
    assert y.rows == pytest.approx(0.0, abs=1e-12)
    words = "\n".join(found.changes)
    assert "suite small@1, then small@2" in words
    assert "b1 accuracy: weight 1.0, then 3.0" in words.replace(" all:", ":")
    assert "gold of b2: revision 1, then 2" in words


@pytest.fixture
def others(
    small: Connection, warehouse_path: Path, tmp_path: Path
) -> Iterator[tuple[Path, Path]]:
    """A board's file, and a warehouse of somebody else with the same rows."""
    frozen(small, "may")
    content = find_edition(small, "may").content
    small.execute("checkpoint")
    small.close()
    copy, file = tmp_path / "theirs.duckdb", tmp_path / "board.json"
    copied(warehouse_path, copy)
    file.write_bytes(content)
    yield copy, file


def test_somebody_elses_board_is_held_to_our_rows(others: tuple[Path, Path]):
    copy, file = others
    with jevdb.open(copy) as opened:
        assert opened.verify_edition(file).heading() == ["board.json: the same bytes"]
        board = json.loads(file.read_text())
        board["entrants"][0]["members"][1]["raw"] += 0.1
        board["entrants"][2]["members"][0]["run_id"] = "f" * 64
        file.write_text(json.dumps(board))
        found = opened.verify_edition(file)
    assert not found.passed
    assert [row[:3] for row in found.rows().rows] == [
        ["z", "b1 accuracy", "rows"],
        ["x", "b2 accuracy", "raw"],
    ]


def test_a_file_that_is_no_board_and_a_suite_that_is_another(
    others: tuple[Path, Path],
):
    copy, file = others
    board = json.loads(file.read_text())
    with jevdb.open(copy) as opened:
        file.write_text("[]")
        with pytest.raises(JevdbError, match="no board of a suite"):
            opened.verify_edition(file)
        board["suite"]["sha256"] = "0" * 64
        file.write_text(json.dumps(board))
        with pytest.raises(JevdbError, match="says something else here"):
            opened.verify_edition(file)


def test_the_command_checks_with_its_exit_code(others: tuple[Path, Path]):
    from commandline import jevdb as run

    copy, file = others
    assert run(copy, "editions", "check", "may").exit_code == 0
    shown = run(copy, "editions", "show", "may")
    assert shown.stdout.encode() == file.read_bytes()
    with open_for_a_test(copy) as connection:
        connection.execute(
            "update predictions set probabilities = [0.25, 0.75] where item_id = 'q2'"
        )
    done = run(copy, "editions", "check", "may", "--format", "csv")
    assert done.exit_code == CheckError.exit_code == 1
    assert "x,b1 accuracy,raw," in done.stdout


def test_a_suite_changes_no_byte_of_what_is_said_without_it(
    warehouse_path: Path, tmp_path: Path
):
    """Export, report and board of a benchmark, before and after a suite of it."""
    from commandline import fill
    from commandline import jevdb as run

    fill(warehouse_path)
    saying = [
        ("export", "--out", "-", "--markdown", str(tmp_path / "r.md")),
        ("report", "--format", "json"),
        ("leaderboard", "--benchmark", "small", "--format", "json"),
    ]

    def said() -> list[str]:
        found = [run(warehouse_path, *words) for words in saying]
        assert [each.exit_code for each in found] == [0, 0, 0]
        return [*(each.stdout for each in found), (tmp_path / "r.md").read_text()]

    before = said()
    members = [member("small", exclude=["c2"], exclude_reason="spoilt")]
    path = toml(tmp_path / "s.toml", members, method="s1mb-1", unanswered="left_out")
    for words in [
        ("suites", "add", str(path)),
        ("editions", "freeze", "may", "--suite", "small"),
    ]:
        done = run(warehouse_path, *words)
        assert done.exit_code == 0, done.output
    assert said() == before
