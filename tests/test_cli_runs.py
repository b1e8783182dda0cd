"""Naming a run, and what can be done with one."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from building import add_run, open_to_fill
from commandline import (
    ANSWERS,
    FIRST,
    PRIVATE,
    SECOND,
    add_event,
    add_small_benchmark,
    fill,
    jevdb,
    rows_of,
)

from jevdb.base.errors import UnknownNameError, UsageError
from jevdb.scoring.runs import Run, resolve, resolve_only
from jevdb.warehouse.database import open_reader


def run_named(
    run_id: str,
    model: str,
    revision: str | None = None,
    label: str | None = None,
    *,
    seq: int = 1,
    is_superseded: bool = False,
) -> Run:
    return Run(
        **{"run_id": run_id, "benchmark_id": "b", "model": model},
        **{"revision": revision, "label": label, "started_at": None},
        ingested_at=datetime(2026, 1, 1),
        **{"is_private": False, "is_withdrawn": False, "is_superseded": is_superseded},
        **{"n_rows": 0, "n_ok": 0, "n_invalid": 0, "n_unsupported": 0},
        **{"n_error": 0, "n_rejected": 0},
        seq=seq,
    )


RUNS = [
    run_named("ab12cd340" + "0" * 55, "de-1", seq=1),
    run_named("ab12cd341" + "0" * 55, "de-1", "r1", seq=2),
    run_named("ff" * 32, "de-1", "r1", "greedy", seq=3),
    run_named("ee" * 32, "de-1", "r1", "greedy", seq=4, is_superseded=True),
    run_named("dd" * 32, "old", seq=5, is_superseded=True),
    run_named("cc" * 32, "org/model@v2", None, "a#b", seq=6),
    run_named("bb" * 32, "deadbeef", seq=7),
]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("ab12cd340", 0),
        ("ff" * 32, 2),
        ("eeeeeeee", 3),  # an id names a superseded run too
        ("de-1", 0),  # the whole name of a run comes before a part of another's
        ("de-1@r1", 1),
        ("de-1@r1#greedy", 2),
        ("de-1#greedy", 2),
        ("org/model@v2", 5),
        ("org/model@v2#a#b", 5),
        ("deadbeef", 6),  # looks like an id, but is only a name
    ],
)
def test_a_run_has_many_names(name: str, place: int):
    assert resolve(RUNS, name) is RUNS[place]


@pytest.mark.parametrize(
    "name", ["ab12cd3", "de", "de-1@r2", "#greedy", "", "AB12CD340"]
)
def test_other_names_are_unknown(name: str):
    with pytest.raises(UnknownNameError):
        resolve(RUNS, name)


def test_a_name_means_no_other_run_than_that_of_just_this_name():
    hot = run_named("ff" * 32, "m", label="hot", seq=2)
    gone = run_named("ee" * 32, "m", seq=1, is_superseded=True)
    assert resolve([hot], "m") is hot
    with pytest.raises(UsageError, match=r"no current run.*eeeeeeeeeeee \(m, b,"):
        resolve([gone, hot], "m")


def test_a_whole_name_comes_before_the_prefix_of_an_id():
    by_id = run_named("deadbeef" * 8, "m", seq=1)
    named = run_named("ee" * 32, "deadbeef", seq=2)
    assert resolve([by_id, named], "deadbeef") is named
    assert resolve([by_id, named], "deadbeef" * 8) is by_id
    with pytest.raises(UsageError, match=r"name of 2 runs.*eeeeeeeeeeee.*deadbeefdead"):
        resolve_only([by_id, named], "deadbeef")


@pytest.mark.parametrize(
    "change",
    [
        ("runs", "withdraw", "m", "--reason", "a test"),
        ("runs", "relabel", "m", "y"),
        ("runs", "private", "m"),
        ("baseline", "set", "m"),
    ],
)
def test_what_changes_a_run_takes_no_name_of_two(warehouse_path: Path, change):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="m", label="w", run_id=FIRST)
        add_run(connection, "small", ANSWERS, model="m", label="x", run_id=SECOND)
    refused = jevdb(warehouse_path, *change)
    assert refused.exit_code == 2
    assert "'m' is the name of 2 runs; name the one by its id: " in refused.stderr
    assert "1a1a1a1a1a1a (m#w, small)" in refused.stderr
    assert "2b2b2b2b2b2b (m#x, small)" in refused.stderr
    with open_reader(warehouse_path) as connection:
        events = connection.execute("select count(*) from run_events").fetchall()
    assert events == [(0,)]
    by_id = [FIRST if word == "m" else word for word in change]
    assert jevdb(warehouse_path, *by_id).exit_code == 0


def test_a_withdrawn_run_is_restored_as_an_event(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="m", run_id=FIRST)
    for _ in range(2):
        jevdb(warehouse_path, "runs", "withdraw", "m", "--reason", "wrong prompt")
        assert rows_of(warehouse_path, "report") == []
        back = jevdb(warehouse_path, "runs", "restore", "m", "--reason", "it was right")
        assert (back.exit_code, back.stderr) == (0, "m (1a1a1a1a1a1a) is restored\n")
        assert rows_of(warehouse_path, "report")
    with open_reader(warehouse_path) as connection:
        events = connection.execute(
            "select event, value, reason from run_events order by seq"
        ).fetchall()
    assert events == 2 * [
        ("withdrawn", None, "wrong prompt"),
        ("reinstated", "withdrawn", "it was right"),
    ]
    again = jevdb(warehouse_path, "runs", "restore", FIRST)
    assert (again.exit_code, again.stderr) == (0, "m (1a1a1a1a1a1a) is not withdrawn\n")
    by_name = jevdb(warehouse_path, "runs", "restore", "m")
    assert by_name.exit_code == 2
    assert "'m' has no withdrawn run; name one by its id" in by_name.stderr


def test_a_restored_run_that_was_superseded_stays_so(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="m", run_id=FIRST)
        add_event(connection, FIRST, "withdrawn")
        add_event(connection, FIRST, "superseded", SECOND)
    back = jevdb(warehouse_path, "runs", "restore", FIRST)
    assert "is restored; it stays superseded" in back.stderr
    with open_reader(warehouse_path) as connection:
        states = connection.execute(
            "select is_withdrawn, is_superseded, is_current from run_states"
        ).fetchall()
    assert states == [(False, True, False)]


def test_an_unknown_name_tells_the_near_ones():
    with pytest.raises(UnknownNameError, match=r"did you mean .*'de-1@r1'"):
        resolve(RUNS, "de1@r1")


def test_a_prefix_of_several_ids_lists_them():
    with pytest.raises(UsageError, match=r"fits 2 runs: ab12cd3400.* ab12cd3410"):
        resolve(RUNS, "ab12cd34")


def test_a_superseded_run_is_named_by_its_id_only():
    with pytest.raises(
        UsageError, match=r"no current run.*dddddddddddd \(old, b, superseded\)"
    ):
        resolve(RUNS, "old")


def test_the_latest_of_several_is_said_on_stderr(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="m", label="w", run_id=FIRST)
        add_run(connection, "small", ANSWERS, model="m", label="x", run_id=SECOND)
    result = jevdb(warehouse_path, "runs", "dump", "m")
    assert result.exit_code == 0
    assert "m: the latest of 2 runs, m#x on small (2b2b2b2b2b2b)" in result.stderr


def test_withdraw_is_kept_with_its_reason_and_done_once(warehouse_path: Path):
    fill(warehouse_path)
    done = jevdb(warehouse_path, "runs", "withdraw", "first", "--reason", "bad prompt")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "first (1a1a1a1a1a1a) is withdrawn\n"
    again = jevdb(warehouse_path, "runs", "withdraw", "1a1a1a1a", "--reason", "again")
    assert again.exit_code == 0
    assert "already withdrawn" in again.stderr
    with open_reader(warehouse_path) as connection:
        events = connection.execute(
            "select run_id, event, value, reason, kind, ingests.seq from run_events "
            "join ingests using (seq) where run_id = $id",
            {"id": FIRST},
        ).fetchall()
        last = connection.execute("select max(seq) from ingests").fetchall()[0][0]
    assert events == [(FIRST, "withdrawn", None, "bad prompt", "event", last)]
    assert rows_of(warehouse_path, "runs")[0]["is_withdrawn"] is True


def test_withdraw_needs_a_reason(warehouse_path: Path):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "runs", "withdraw", "first")
    assert result.exit_code == 2
    assert "--reason" in result.stderr


def test_relabel_changes_the_name_and_not_the_id(warehouse_path: Path):
    fill(warehouse_path)
    words = ("se|cond@r1", "beam", "--reason", "it was no greedy one")
    result = jevdb(warehouse_path, "runs", "relabel", *words)
    assert result.exit_code == 0
    query = "select reason from run_events where event = 'relabelled'"
    [kept] = rows_of(warehouse_path, "sql", query)
    assert kept == {"reason": "it was no greedy one"}
    second = rows_of(warehouse_path, "runs")[1]
    assert (second["run_id"], second["label"]) == (SECOND, "beam")
    again = jevdb(warehouse_path, "runs", "relabel", "se|cond@r1#beam", "beam")
    assert again.exit_code == 0
    assert "is already labelled 'beam'" in again.stderr
    jevdb(warehouse_path, "runs", "relabel", "se|cond@r1#beam", "")
    assert rows_of(warehouse_path, "runs")[1]["label"] is None


def test_relabel_to_a_used_name_is_a_conflict(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", ANSWERS, model="m", run_id=FIRST)
        add_run(connection, "small", ANSWERS, model="m", label="x", run_id=SECOND)
    taken = jevdb(warehouse_path, "runs", "relabel", "1a1a1a1a", "x")
    assert taken.exit_code == 4
    assert "m#x on small is run 2b2b2b2b2b2b; choose another label" in taken.stderr
    with open_to_fill(warehouse_path) as connection:
        add_event(connection, SECOND, "superseded")
    freed = jevdb(warehouse_path, "runs", "relabel", "1a1a1a1a", "x")
    assert freed.exit_code == 0, "a superseded run holds no name"


def test_private_and_public_are_there_and_back(warehouse_path: Path):
    fill(warehouse_path)
    for command, is_private in [("private", True), ("public", False)]:
        for words in ("is", "is already"):
            result = jevdb(warehouse_path, "runs", command, "first")
            assert result.exit_code == 0
            assert result.stderr == f"first (1a1a1a1a1a1a) {words} {command}\n"
            assert rows_of(warehouse_path, "runs")[0]["is_private"] is is_private


def test_dump_writes_canonical_lines_in_item_order(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        add_run(connection, "small", reversed(ANSWERS), model="m")
    result = jevdb(warehouse_path, "runs", "dump", "m")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"item_id": "c1", "probabilities": {"a": 0.75, "b": 0.25}},
        {"item_id": "c2", "probabilities": {"a": 0.75, "b": 0.25}},
        {"item_id": "n1", "probabilities": {"no": 0.125, "yes": 0.875}},
        {"item_id": "s1", "probabilities": {"0": 0.0, "1": 0.25, "2": 0.75}},
    ]
    assert result.stderr == ""


def test_dump_writes_what_the_model_returned(warehouse_path: Path):
    stray = '{"answer":"z","probabilities":{"a":0.5,"z":0.5}}'
    rows = [
        {"item_id": "c1", "status": "invalid", "reason": "label_set"},
        {"item_id": "c2", "answer": "b"},
        {"item_id": "n1", "status": "error", "error": "timeout"},
        {"item_id": "s1", "answer": 1.5, "status": "invalid", "reason": "reported"},
    ]
    with open_to_fill(warehouse_path) as connection:
        add_small_benchmark(connection)
        run_id = add_run(connection, "small", rows[1:], model="m")
        connection.execute(
            "insert into predictions (run_id, item_id, status, reason, returned, "
            "renormalized, answer_mismatch, attempts, latency_s, meta) values "
            "($run_id, 'c1', 'invalid', 'label_set', $stray, false, false, 1, 0.5, "
            "'{\"seed\": 1}')",
            {"run_id": run_id, "stray": stray},
        )
    result = jevdb(warehouse_path, "runs", "dump", "m")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {
            "item_id": "c1",
            **json.loads(stray),
            **{"latency_s": 0.5, "meta": {"seed": 1}},
        },
        {"item_id": "c2", "answer": "b"},
        {"item_id": "n1", "status": "error", "error": "timeout"},
        {"item_id": "s1", "status": "invalid", "answer": 1.5},
    ]


def test_dump_to_a_file(warehouse_path: Path, tmp_path: Path):
    fill(warehouse_path)
    out = tmp_path / "out.jsonl"
    result = jevdb(warehouse_path, "runs", "dump", "first", "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text() == jevdb(warehouse_path, "runs", "dump", "first").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["withdraw", "fist", "--reason", "x"],
        ["relabel", "fist", "x"],
        ["private", "fist"],
        ["public", "fist"],
        ["dump", "fist"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_run_command_names_the_near_run(
    warehouse_path: Path, arguments: list[str]
):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "runs", *arguments)
    assert result.exit_code == 2
    assert "unknown run 'fist'; did you mean 'first'" in result.stderr
    assert result.stdout == ""


def test_a_private_run_can_be_dumped(warehouse_path: Path):
    fill(warehouse_path)
    result = jevdb(warehouse_path, "runs", "dump", PRIVATE[:8])
    assert len(result.stdout.splitlines()) == 2


HOSTILE = [
    {"item_id": "c1", "probabilities": {"a": 0.49, "b": 0.49}, "answer": "b"},
    {"item_id": "c2", "probabilities": {"a": 0.3, "z": 0.7}, "latency_s": 1e-7},
    {"item_id": "n1", "probabilities": {"yes": 0.1}, "meta": {"x": [1e300, "é\u2028"]}},
    {"item_id": "s1", "answer": 7, "error": "odd", "cost_usd": 0.1},
    {"item_id": "m1", "answer": ["y", "x", "y"], "step_probabilities": [0.5, 0.25]},
    {"item_id": "s2", "probabilities": {"low": 0.2, "mid": 0.2, "high": 0.7}},
    {"item_id": "s3", "answer": 1.5, "input_tokens": 3},
    {"item_id": "c3", "status": "invalid", "answer": "a", "probabilities": [-1, 2]},
    {"item_id": "c4", "status": "unsupported"},
    {"item_id": "c5", "status": "ok"},
]


def test_a_dump_ingests_to_the_same_run(warehouse_path: Path, tmp_path: Path):
    """Renormalized, unaligned, out of range, label-only, failed: all come back."""
    choice = {"type": "choice", "options": ["a", "b"], "gold": "a"}
    score = {"type": "score", "options": ["low", "mid", "high"], "gold": 1}
    kinds = {"c": choice, "s": score, "n": {"type": "noul", "gold": True}}
    several = {"type": "multi_select", "options": ["x", "y", "z"], "gold": ["x"]}
    items = [
        {"item_id": row["item_id"], **{**kinds, "m": several}[str(row["item_id"])[0]]}
        for row in HOSTILE
    ]
    for name, records in (("items", items), ("rows", HOSTILE)):
        lines = "".join(f"{json.dumps(record)}\n" for record in records)
        (tmp_path / f"{name}.jsonl").write_text(lines)

    def ingest_run(file: Path) -> str:
        name = ("--benchmark", "b", "--model", "m", "--allow", "invalid")
        result = jevdb(warehouse_path, "ingest", "run", str(file), *name)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    jevdb(
        warehouse_path,
        *("ingest", "items", str(tmp_path / "items.jsonl"), "--benchmark", "b"),
    )
    first = ingest_run(tmp_path / "rows.jsonl")
    dumped = tmp_path / "dumped.jsonl"
    assert (
        jevdb(warehouse_path, "runs", "dump", "m", "--out", str(dumped)).exit_code == 0
    )
    assert ingest_run(dumped) == first
    assert len(rows_of(warehouse_path, "runs")) == 1
    assert jevdb(warehouse_path, "check").exit_code == 0
