"""Published values as members, and the roll-ups that boards print of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from building import add_run
from suite_world import answers, member, store, toml

from jevdb.base.connection import Connection
from jevdb.base.errors import ConflictError, InputError
from jevdb.ingest.results.table import read_table
from jevdb.ingest.results.table_storing import store_table
from jevdb.suites.leaderboard import leaderboard
from jevdb.suites.roster import Request
from jevdb.suites.storing import add_suite
from jevdb.warehouse.assets import asset_folder

DATA = Path(__file__).parents[1] / "data" / "suites"
SEEDS = asset_folder("seeds") / "suites"
PRINTED = {
    # SOURCES.md: balanced_skill, breadth_skill, balanced_raw of the files themselves.
    "0.2": {"jev": (51.67, 50.78, 63.87), "hopper": (30.01, 28.72, 45.59)},
    "0.3": {"jebadiah-27b-v2-1": (57.03, 55.93, 67.55)},
}


@pytest.mark.parametrize("version", PRINTED)
def test_the_roll_ups_of_the_decision_index(
    warehouse: Connection, tmp_path: Path, version: str
):
    store_table(warehouse, read_table([DATA / f"decision-index-{version}.csv"]))
    path = SEEDS / f"decision-index-{version}.toml"
    raw = tmp_path / "raw.toml"
    text = path.read_text("utf-8").replace('metric = "skill"', 'metric = "raw"')
    raw.write_text(text.replace('"decision-index"', '"decision-index-raw"'), "utf-8")
    found: dict[str, list[float]] = {}
    for file in (path, raw):
        suite, _ = add_suite(warehouse, file)
        board = leaderboard(warehouse, Request(suite, reported=True))
        assert "no rows: no interval" in board.heading()
        for entry in board.entries:
            assert entry.origin == "reported"
            assert entry.interval is None
            assert entry.interval_reason == "reported"
            numbers = found.setdefault(entry.entrant.name, [])
            numbers += [entry.score.score or 0.0, entry.score.geometric or 0.0]
    for name, printed in PRINTED[version].items():
        skill, breadth, raw_index, _ = found[name]
        assert (round(skill, 2), round(breadth, 2), round(raw_index, 2)) == printed


def table(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_own_and_published_values_never_mix_unless_asked(
    warehouse: Connection, tmp_path: Path
):
    store(warehouse, {"b1": {"x": "++--", "y": "+---"}, "b2": {"y": "+---"}})
    lines = [
        "benchmark,model,metric,value,n,answered,requested",
        "b1,x,accuracy,0.9,4,4,4",
        "b2,x,accuracy,0.75,4,4,4",
        "b1,z,accuracy,0.25,4,3,4",
        "b2,z,accuracy,0.5,4,3,4",
    ]
    store_table(warehouse, read_table([table(tmp_path / "t.csv", *lines)]))
    suite, _ = add_suite(
        warehouse, toml(tmp_path / "s.toml", [member("b1"), member("b2")])
    )

    def scores(**keys: bool) -> dict[str, tuple[float | None, str]]:
        board = leaderboard(warehouse, Request(suite, **keys))
        return {e.entrant.name: (e.score.score, e.origin) for e in board.entries}

    assert scores() == {"y": (25.0, "rows"), "x": (None, "rows")}
    # z: (0.25 + 0.5) / 2; x has a run, and its published values stay out.
    assert scores(reported=True) == {
        **{"z": (37.5, "reported"), "y": (25.0, "rows"), "x": (None, "rows")}
    }
    # x: its own 2 of 4, and the published 0.75 where it has no run.
    assert scores(mixed=True)["x"] == (62.5, "mixed")
    board = leaderboard(warehouse, Request(suite, reported=True))
    assert any("runs and published results of x" in line for line in board.heading())
    assert board.entries[0].values[0].answered == 0.75


def test_coverage_multiplies_a_published_value(warehouse: Connection, tmp_path: Path):
    lines = [
        "benchmark,model,metric,value,answered,requested",
        "b1,z,accuracy,0.8,3,4",
    ]
    store_table(warehouse, read_table([table(tmp_path / "t.csv", *lines)]))
    members = [member("b1", transform="skill", base=0.5, round=2)]
    suite, _ = add_suite(
        warehouse, toml(tmp_path / "s.toml", members, unanswered="coverage")
    )
    [entry] = leaderboard(warehouse, Request(suite, reported=True)).entries
    # 0.8 x 3/4 = 0.6; (0.6 - 0.5) / 0.5
    assert entry.score.score == pytest.approx(20.0, abs=1e-9)


def test_a_table_is_refused_with_every_fault(tmp_path: Path):
    path = table(
        tmp_path / "t.csv",
        "benchmark,model,metric,kind,value,n,answered,requested",
        "b1,x,acuracy,,0.5,4,,",
        "b1,x,accuracy,pooled,0.5,4,,",
        "b1,x,accuracy,,half,4,,",
        "b1,,accuracy,,0.5,1.5,,",
        "b1,x,accuracy,,0.5,4,5,4",
        "b1,x,accuracy,,0.5,4,5,",
        "b1,y,accuracy,,0.5,4,,",
        "b1,y,accuracy,,0.6,4,,",
        "b2,y,accuracy,,0.5,4,3,4",
        "b2,y,brier,,0.6,4,4,4",
    )
    with pytest.raises(InputError) as caught:
        read_table([path])
    found = {(each.line, each.field) for each in caught.value.problems}
    assert found == {
        *((2, "metric"), (3, "metric"), (4, "value"), (5, "model"), (5, "n")),
        *((6, "answered"), (7, "answered"), (9, "metric"), (11, "answered")),
    }
    with pytest.raises(InputError, match="no column of a table of results"):
        read_table([table(tmp_path / "u.csv", "benchmark,modell", "b1,x")])


def test_json_lines_say_the_same_and_a_table_is_stored_once(
    warehouse: Connection, tmp_path: Path
):
    csv = table(
        tmp_path / "t.csv", "benchmark,model,label,metric,value", "b1,x,l,rps,0.25"
    )
    lines = table(
        tmp_path / "t.jsonl",
        '{"benchmark": "b1", "model": "x", "label": "l", "metric": "rps", '
        '"kind": "score", "value": 0.25}',
    )
    [first] = store_table(warehouse, read_table([csv]))
    [again] = store_table(warehouse, read_table([lines]))
    assert (first.outcome, again.outcome) == ("stored", "already_there")
    other = table(
        tmp_path / "o.csv", "benchmark,model,label,metric,value", "b1,x,l,rps,0.5"
    )
    with pytest.raises(ConflictError, match="supersede"):
        store_table(warehouse, read_table([other]))
    [moved] = store_table(warehouse, read_table([other]), supersede=True)
    assert moved.superseded == first.result_sha256
    assert warehouse.execute("from orphan_reported_metrics").fetchall() == []
    # Its items may come later: the benchmark is there, without any.
    [n_items] = warehouse.execute(
        "select n_items from benchmark_states where benchmark_id = 'b1'"
    ).fetchall()
    assert n_items == (0,)


def test_an_entrant_with_runs_outranks_nobody_who_only_published(
    warehouse: Connection, tmp_path: Path
):
    """Those with rows have possible ranks; published results stand by value alone."""
    store(warehouse, {"b1": {"x": "+" * 20 + "-" * 20}}, n=40)
    add_run(warehouse, "b1", answers("+" * 30 + "-" * 10), model="y")
    lines = ["benchmark,model,metric,value", "b1,z,accuracy,0.6"]
    store_table(warehouse, read_table([table(tmp_path / "t.csv", *lines)]))
    suite, _ = add_suite(warehouse, toml(tmp_path / "s.toml", [member("b1")]))
    board = leaderboard(warehouse, Request(suite, reported=True))
    assert [(e.entrant.name, e.rank) for e in board.entries] == [
        *(("y", 1), ("z", 2), ("x", 3))
    ]
    z = board.entries[1]
    assert z.standing is None
    assert z.interval_reason == "reported"
