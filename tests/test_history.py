"""The past of a warehouse: as-of, the history of a model, gold revisions, snapshots."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import add_benchmark, add_gold_revision, add_run, open_to_fill
from commandline import add_event, jevdb, rows_of
from making import copied

from jevdb.base.connection import Connection
from jevdb.base.errors import UsageError
from jevdb.scoring.as_of import resolve_as_of
from jevdb.warehouse.database import open_writer

OLD, NEW = "1a" * 32, "2b" * 32
ITEMS = [
    {"item_id": f"c{i}", "type": "choice", "options": ["a", "b"], "gold": "a"}
    for i in (1, 2, 3, 4)
]


def answers(*labels: str) -> list[dict[str, object]]:
    return [
        {"item_id": f"c{i}", "answer": label} for i, label in enumerate(labels, start=1)
    ]


@pytest.fixture(scope="module")
def past(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year of one model.

    1 four items; 2 the old run, three right; 3 the new run, four right; 4 the old is
    superseded; 5 the gold of c4 becomes b; 6 the new run is relabelled; 7 and
    withdrawn. I is 100 (accuracy - 1/2) / (1/2).
    """
    path = tmp_path_factory.mktemp("past") / "past.duckdb"
    copied(template, path)
    with open_to_fill(path) as connection:
        add_benchmark(connection, ITEMS, benchmark_id="b")
        old = answers("a", "a", "a", "b")
        add_run(connection, "b", old, model="m", label="x", run_id=OLD)
        new = answers("a", "a", "a", "a")
        add_run(connection, "b", new, model="m", label="y", run_id=NEW)
        add_event(connection, OLD, "superseded")
        add_gold_revision(connection, "b", 2, [{**ITEMS[3], "gold": "b"}])
        add_event(connection, NEW, "relabelled", "z")
        add_event(connection, NEW, "withdrawn")
        for seq in range(8):
            connection.execute(
                "update ingests set ingested_at = timestamp '2026-01-01 12:00' "
                f"+ interval {seq} month where seq = {seq}"
            )
    return path


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("1", []),
        ("2", [("x", 1, 0.75)]),
        ("3", [("x", 1, 0.75), ("y", 1, 1.0)]),
        ("4", [("y", 1, 1.0)]),
        ("5", [("y", 2, 0.75)]),
        ("6", [("z", 2, 0.75)]),
        ("7", []),
        # The events happen at noon of the first of the month.
        ("2026-03-31", [("x", 1, 0.75)]),
        ("2026-04-01", [("x", 1, 0.75), ("y", 1, 1.0)]),
        ("2026-04-01T11:59:59", [("x", 1, 0.75)]),
        ("2026-04-01T13:30+02:00", [("x", 1, 0.75)]),
        ("2026-06-30T00:00Z", [("y", 2, 0.75)]),
    ],
)
def test_a_report_as_of_then(past: Path, as_of: str, expected: list[object]):
    found = rows_of(past, "report", "--as-of", as_of)
    shown = [(row["label"], row["gold_revision"], row["accuracy"]) for row in found]
    assert shown == expected


@pytest.fixture
def timed(warehouse_path: Path) -> Iterator[Connection]:
    """Ingests 1 to 4: before, at and after midnight, and a second one at that time."""
    moments = (
        "2026-01-01 23:59:59.999999",
        *("2026-01-02 00:00:00", "2026-01-02 00:00:00.000001"),
        "2026-01-02 00:00:00.000001",
    )
    with open_to_fill(warehouse_path) as connection:
        connection.execute("delete from ingests where seq > 0")
        connection.execute("update ingests set ingested_at = '2026-01-01 12:00'")
        for seq, moment in enumerate(moments, start=1):
            connection.execute(
                "insert into ingests values "
                f"({seq}, 'i{seq}', '{moment}', 'run', 'test', null)"
            )
        yield connection


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A date is its end: what comes at midnight is of the next day.
        ("2026-01-01", 1),
        ("2026-01-02", 4),
        # A time has what was stored at that very time, all of it, and not later.
        ("2026-01-01T12:00:00", 0),
        ("2026-01-01T23:59:59.999998", 0),
        ("2026-01-01T23:59:59.999999", 1),
        ("2026-01-02T00:00", 2),
        ("2026-01-02T02:00+02:00", 2),
        ("2026-01-02T00:00:00.000001Z", 4),
        # A number is itself.
        *(("0", 0), ("3", 3), ("4", 4)),
    ],
)
def test_the_boundaries_of_then(timed: Connection, text: str, expected: int):
    assert resolve_as_of(timed, text) == expected


def test_a_time_without_an_offset_is_of_utc_wherever_one_is(
    timed: Connection, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert resolve_as_of(timed, "2026-01-02T00:00") == 2
        assert resolve_as_of(timed, "2026-01-01T19:00-05:00") == 2
        assert resolve_as_of(timed, "2026-01-01") == 1
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("text", ["2026-01-01T11:59:59.999999", "2025-12-31", "5"])
def test_just_before_the_beginning_and_after_the_end(timed: Connection, text: str):
    with pytest.raises(UsageError):
        resolve_as_of(timed, text)


def test_a_report_of_today_has_no_run(past: Path):
    assert rows_of(past, "report") == []


def test_names_of_then(past: Path):
    arguments = ["report", "--run", "m#y", "--as-of"]
    (row,) = rows_of(past, *arguments, "5")
    assert row["run_id"] == NEW
    assert jevdb(past, *arguments, "6").exit_code == 2


def test_gold_revisions_of_then(past: Path):
    done = jevdb(past, "report", "--as-of", "4", "--gold-revision", "2")
    assert done.exit_code == 2
    assert "no gold revision 2" in done.stderr
    (row,) = rows_of(past, "report", "--as-of", "5", "--gold-revision", "1")
    assert row["accuracy"] == 1.0


def test_an_export_as_of_then(past: Path):
    done = jevdb(past, "export", "--as-of", "3", "--out", "-")
    document = json.loads(done.stdout)
    assert [run["run_id"] for run in document["runs"]] == [OLD, NEW]
    values = [
        run["rows"]["overall"]["intelligence"]["value"] for run in document["runs"]
    ]
    assert values == [50.0, 100.0]
    assert document["benchmarks"][0]["gold_revision"] == 1


def test_an_export_as_of_then_leaves_out_what_is_private_today(past: Path, tmp_path):
    path = tmp_path / "copy.duckdb"
    shutil.copyfile(past, path)
    assert jevdb(path, "runs", "private", OLD).exit_code == 0
    exported = jevdb(path, "export", "--as-of", "3", "--out", "-").stdout
    assert [run["run_id"] for run in json.loads(exported)["runs"]] == [NEW]
    named = jevdb(path, "export", "--as-of", "3", "--run", "m#x", "--out", "-")
    assert named.exit_code == 2
    asked = ["--as-of", "3", "--include-private", "--out", "-"]
    assert len(json.loads(jevdb(path, "export", *asked).stdout)["runs"]) == 2


def test_lists_as_of_then(past: Path):
    assert [row["run_id"] for row in rows_of(past, "runs", "--as-of", "2")] == [OLD]
    assert not rows_of(past, "runs", "--as-of", "3")[0]["is_superseded"]
    assert rows_of(past, "models", "--as-of", "1") == []
    benchmarks = rows_of(past, "benchmarks", "--as-of", "0")
    assert "b" not in {row["benchmark_id"] for row in benchmarks}
    (then,) = [
        row
        for row in rows_of(past, "benchmarks", "--as-of", "4")
        if row["benchmark_id"] == "b"
    ]
    assert (then["gold_revision"], then["n_runs"]) == (1, 1)


@pytest.mark.parametrize("text", ["8", "2025-12-31", "yesterday", "2026-13-01", "-1"])
def test_no_such_time(past: Path, text: str):
    with open_writer(past) as connection, pytest.raises(UsageError, match="as_of"):
        resolve_as_of(connection, text)


def test_history_by_hand(past: Path):
    lines = rows_of(past, "history", "m")
    assert [
        (
            *(row["run_id"], row["state"], row["gold_revision_then"]),
            *(row["value_then"], row["gold_revision"], row["value"], row["change"]),
        )
        for row in lines
    ] == [
        (OLD, "superseded", 1, 50.0, 2, 100.0, None),
        (NEW, "withdrawn", 1, 100.0, 2, 50.0, -50.0),
    ]


def test_history_is_ordered_by_start_then_sequence(warehouse_path: Path):
    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, ITEMS, benchmark_id="b")
        for i, revision in enumerate(("r1", "r2", "r3")):
            right = ["a"] * (i + 1) + ["b"] * (3 - i)
            add_run(connection, "b", answers(*right), model="m", revision=revision)
        # r1 and r2 started in the same minute, r3 the day before.
        for revision, started in (("r1", 2), ("r2", 2), ("r3", 1)):
            connection.execute(
                f"update runs set started_at = timestamp '2026-05-0{started}' "
                f"where model_id = 'id of m {revision}'"
            )
    lines = rows_of(warehouse_path, "history", "m", "--metric", "accuracy")
    assert [(row["revision"], row["value"], row["change"]) for row in lines] == [
        ("r3", 0.75, None),
        ("r1", 0.25, -0.5),
        ("r2", 0.5, 0.25),
    ]
    (only,) = rows_of(warehouse_path, "history", "m@r2", "--metric", "accuracy")
    assert only["value"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "unknown model"),
        (["m", "--metric", "iq"], "unknown metric"),
        (["m", "--row", "hard"], "unknown report row"),
        (["m", "--benchmark", "c"], "unknown benchmark"),
        (["m", "--method", "mine"], "unknown method"),
    ],
)
def test_no_such_history(past: Path, arguments: list[str], words: str):
    done = jevdb(past, "history", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr


@pytest.fixture
def revised(warehouse_path: Path) -> Path:
    """Through the command line: a changed gold, then an added item and a reference."""
    folder = warehouse_path.parent

    def write(name: str, rows: list[dict[str, object]]) -> str:
        path = folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    items = [{**item, "options": ["a", "b"]} for item in ITEMS]
    added = {"item_id": "c5", "type": "choice", "options": ["a", "b"], "gold": "a"}
    steps = [
        ["ingest", "items", write("1.jsonl", items), "--benchmark", "b"],
        [
            *("ingest", "run", "--benchmark", "b", "--model", "m"),
            write(
                "run.jsonl",
                [
                    {"item_id": f"c{i}", "probabilities": {"a": 0.75, "b": 0.25}}
                    for i in (1, 2, 3, 4)
                ],
            ),
        ],
        [
            *("ingest", "items", "--benchmark", "b", "--revise", "--reason", "typo"),
            write("2.jsonl", [{**items[3], "gold": "b"}]),
        ],
        [
            *("ingest", "items", "--benchmark", "b", "--revise", "--reason", "more"),
            write(
                "3.jsonl", [added, {**items[0], "gold_distribution": {"a": 1, "b": 0}}]
            ),
        ],
    ]
    for step in steps:
        done = jevdb(warehouse_path, *step)
        assert done.exit_code == 0, done.output
    return warehouse_path


def test_revisions_count_what_changed(revised: Path):
    rows = rows_of(revised, "revisions", "b")
    assert [
        (
            *(row["gold_revision"], row["reason"], row["n_items"], row["n_added"]),
            *(row["n_gold_changed"], row["n_reference_changed"]),
        )
        for row in rows
    ] == [(1, None, 4, 4, 0, 0), (2, "typo", 4, 0, 1, 0), (3, "more", 5, 1, 0, 1)]


def test_revisions_say_what_they_did_to_a_run(revised: Path):
    _, second, third = rows_of(revised, "revisions", "b")
    # Four right of four; then c4 is wrong, three of four; then c5 is missing, 3 of 5.
    # I = 100 (accuracy - 1/2) / (1/2).
    assert (second["accuracy_before"], second["accuracy_after"]) == (1.0, 0.75)
    assert (third["accuracy_before"], third["accuracy_after"]) == (0.75, 0.6)
    assert second["intelligence_before"] == 100.0
    assert third["intelligence_before"] == second["intelligence_after"] == 50.0
    assert third["intelligence_after"] == pytest.approx(20, abs=1e-12)
    assert (third["n_before"], third["n_after"]) == (4, 5)
    # ECE abs(0.75 - 1) = 1/4, so 50 points; one-hot TVD 1/4, 75 points; mean 62.5.
    assert second["calibration_before"] == 62.5
    # ECE 0 at 3 of 4; one-hot TVD (1/4 + 1/4 + 1/4 + 3/4) / 4 = 3/8.
    assert second["calibration_after"] == pytest.approx((100 + 62.5) / 2, abs=1e-12)
    # With one reference only c1 is compared: TVD 1/4.
    assert third["calibration_after"] == pytest.approx((100 + 75) / 2, abs=1e-12)


def test_a_pinned_report_knows_neither_later_items_nor_references(revised: Path):
    pinned = [
        rows_of(revised, "report", "--gold-revision", str(revision))[0]
        for revision in (1, 2, 3)
    ]
    assert [row["n"] for row in pinned] == [4, 4, 5]
    assert [row["tvd"] for row in pinned] == [0.25, 0.375, 0.25]
    assert [row["coverage"] for row in pinned] == [1.0, 1.0, 0.8]


def test_revisions_list_their_items(revised: Path):
    rows = rows_of(revised, "revisions", "b", "--items")
    assert [
        (row["gold_revision"], row["item_id"], row["change"], row["gold_before"])
        for row in rows
    ] == [(2, "c4", "gold", "a"), (3, "c1", "reference", "a"), (3, "c5", "added", None)]


def test_revisions_as_text(revised: Path):
    text = jevdb(revised, "revisions", "b").stdout
    assert "UTC: typo\n   1 gold changed; 4 items in all" in text
    assert "100.00 -> 50.00" in text
    assert "1 item added, 1 reference added or changed; 5 items in all" in text


def test_a_benchmark_without_gold_has_no_revision(revised: Path):
    done = jevdb(revised, "revisions", "cmdb-1500")
    assert done.exit_code == 2
    assert "no items yet" in done.stderr


def test_a_snapshot_keeps_the_bytes(revised: Path, tmp_path: Path):
    first = tmp_path / "first.json"
    done = jevdb(revised, "export", "--snapshot", "card", "--out", str(first))
    assert done.exit_code == 0, done.output
    again = jevdb(revised, "export", "--snapshot", "card", "--out", "-")
    assert again.exit_code == 0
    assert "already kept" in again.stderr
    # Another gold, other bytes: the name is taken.
    pinned = ["--gold-revision", "1", "--out", "-"]
    other = jevdb(revised, "export", "--snapshot", "card", *pinned)
    assert other.exit_code == 4
    (row,) = rows_of(revised, "snapshots")
    assert row["sha256"] == hashlib.sha256(first.read_bytes()).hexdigest()
    assert row["bytes"] == first.stat().st_size
    copy = tmp_path / "copy.json"
    done = jevdb(revised, "snapshots", "show", "card", "--out", str(copy))
    assert done.exit_code == 0
    assert copy.read_bytes() == first.read_bytes()
    assert jevdb(revised, "snapshots", "show", "cord").exit_code == 2


def test_shadows_are_gone_after_a_report_of_then(past: Path):
    from jevdb.scoring.as_of import then

    with open_to_fill(past) as connection:
        _assert_runs(connection, 2)
        with then(connection, 2):
            _assert_runs(connection, 1)
        _assert_runs(connection, 2)


def _assert_runs(connection: Connection, count: int) -> None:
    assert connection.execute("select count(*) from runs").fetchall() == [(count,)]


def test_intervals_and_the_verdict_on_each_change(warehouse_path: Path):
    """Forty items: 20 right, then 21 of them, then 39."""
    items = [
        {"item_id": f"{i:02d}", "type": "choice", "options": ["a", "b"], "gold": "a"}
        for i in range(40)
    ]

    def right(count: int) -> list[dict[str, object]]:
        return [
            {"item_id": f"{i:02d}", "answer": "a" if i < count else "b"}
            for i in range(40)
        ]

    with open_to_fill(warehouse_path) as connection:
        add_benchmark(connection, items, benchmark_id="b")
        for label, count in (("x", 20), ("y", 21), ("z", 39)):
            add_run(connection, "b", right(count), model="m", label=label)
    rows = rows_of(warehouse_path, "history", "m", "--metric", "accuracy")
    verdicts = [(row["verdict"], row["p_value"]) for row in rows]
    # One discordant item: p = 1; eighteen of one kind: 2 / 2^18.
    assert verdicts == [(None, None), ("not_resolved", 1.0), ("better", 2 / 2**18)]
    # Half of 40: Clopper and Pearson, mirrored about one half.
    low, high = rows[0]["low"], rows[0]["high"]
    assert low + high == pytest.approx(1, abs=1e-11)
    assert low == pytest.approx(0.338, abs=5e-4)
    told = rows_of(warehouse_path, "history", "m", "--metric", "ece_choice")
    assert {row["interval_reason"] for row in told} == {"no_probabilities"}
