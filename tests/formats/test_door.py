"""The door's cases: what a person tries first, what is said, and what then comes out.

Every case has files as people really have them, with the numbers that must come out
(tests/data/door/README.md). A step is tried in a warehouse that has the case's items
and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commandline import jevdb
from prepared import DATA
from typer.testing import Result

from jevdb.warehouse.known import remember

CASES = DATA / "door"
COUNTS = ("runs", "items", "benchmarks", "predictions")
ACCURACY = """
    select value
    from metric_accuracy
    where report_row = 'overall' and kind = 'all' and method_id = 'metrics-md'
"""
Step = dict[str, Any]


def steps() -> Iterator[Any]:
    """Yield every step of every case: the items, the first try, each remedy."""
    for path in sorted(CASES.iterdir()):
        if not path.is_dir():
            continue
        case = json.loads((path / "case.json").read_text())
        items = [
            {"words": case["items"], "expect": case.get("items_expect", {"exit": 0})},
            *(
                {"words": each["items"], "expect": each["expect"]}
                for each in case.get("items_then", ())
            ),
        ]
        for place, step in enumerate(items):
            if step["expect"] == {"exit": 0} and "run" in case:
                continue  # What its runs begin with.
            before = [each for each in items[:place] if each["expect"]["exit"] == 0]
            yield param(path, before, step, f"items-{place}")
        stored = [each for each in items if each["expect"]["exit"] == 0]
        tried = [case] if "run" in case else []
        runs = [
            {"words": each["run"], "expect": each["expect"]}
            for each in (*tried, *case.get("then", ()))
        ]
        for place, step in enumerate(runs):
            yield param(path, stored, step, f"run-{place}")


def param(path: Path, before: list[Step], step: Step, place: str) -> Any:
    """Return a step as a parameter of the test."""
    name = f"{path.name}-{place}"
    return pytest.param(path, before, step, id=name)


@pytest.mark.parametrize(("case", "before", "step"), list(steps()))
def test_a_case_of_the_door(
    case: Path,
    before: list[Step],
    step: Step,
    warehouse_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(case)
    standing = stock(warehouse_path, case, before)
    done = jevdb(warehouse_path, *step["words"])
    several = step["expect"].get("any_of", [step["expect"]])
    faults = [
        list(shortcomings(each, done, warehouse_path, standing)) for each in several
    ]
    assert [] in faults, (faults, done.stderr)


_stocked: dict[tuple[str, int], tuple[bytes, dict[str, int]]] = {}


def stock(path: Path, case: Path, before: list[Step]) -> dict[str, int]:
    """Store the items of a case, or take the warehouse that has them; count them."""
    key = (case.name, len(before))
    if key not in _stocked:
        for each in before:
            done = jevdb(path, *each["words"])
            assert done.exit_code == 0, done.output
        with duckdb.connect(str(path), read_only=True) as connection:
            _stocked[key] = (path.read_bytes(), counted(connection))
    data, counts = _stocked[key]
    path.write_bytes(data)
    remember(path)
    return counts


def counted(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return how many rows the tables have that an ingest fills."""
    return {
        name: connection.execute(f"select count(*) from {name}").fetchall()[0][0]
        for name in COUNTS
    }


def shortcomings(
    expect: Step, done: Result, path: Path, before: dict[str, int]
) -> Iterator[str]:
    """Yield in which ways a step did not do what is expected of it."""
    if done.exit_code != expect["exit"]:
        yield f"exit {done.exit_code}, not {expect['exit']}: {done.exception!r}"
        return
    said = done.stderr.lower()
    for word in expect.get("stderr_must_name", ()):
        if word.lower() not in said:
            yield f"stderr does not name {word!r}"
    if len(done.stderr.splitlines()) > expect.get("stderr_max_lines", 10**6):
        yield f"{len(done.stderr.splitlines())} lines"
    with duckdb.connect(str(path), read_only=True) as connection:
        if expect["exit"] not in (0, 3):
            if counted(connection) != before:
                yield "something was stored"
            return
        yield from wrong_numbers(expect, connection)
        yield from wrong_rows(expect, connection)
        yield from wrong_items(expect, connection)


def wrong_numbers(expect: Step, connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield which counts and accuracy are others than expected."""
    if "counts" in expect:
        found = connection.execute(
            "select n_ok, n_invalid, n_error, "
            "(select count(*) from items where items.benchmark_id = "
            "runs.benchmark_id) - n_rows from runs"
        ).fetchall()[0]
        if list(found) != list(expect["counts"].values()):
            yield f"counts {found}, not {expect['counts']}"
    if "accuracy" in expect:
        found = [value for (value,) in connection.execute(ACCURACY).fetchall()]
        if len(found) != 1 or abs(found[0] - expect["accuracy"]) > 1e-9:
            yield f"accuracy {found}, not {expect['accuracy']}"


def wrong_rows(expect: Step, connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield which stored predictions are others than expected."""
    for item_id, wanted in expect.get("rows", {}).items():
        found = connection.execute(
            "select probabilities, status, options[label_index + 1], labels, "
            "level, renormalized from predictions join items using (item_id) "
            "where item_id = ?",
            [item_id],
        ).fetchall()[0]
        names = ("p", "status", "label", "labels", "level", "renormalized")
        stored = dict(zip(names, found, strict=True))
        for name, value in wanted.items():
            is_same = stored[name] == value
            if name == "p":
                is_same = stored[name] == pytest.approx(value, abs=1e-9)
            if name == "labels":
                is_same = sorted(stored[name]) == sorted(value)
            if not is_same:
                yield f"{item_id}: {name} is {stored[name]}, not {value}"


def wrong_items(expect: Step, connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield which stored items are others than expected."""
    rows = connection.execute(
        "select item_id, type, options, tier, family, meta, "
        "coalesce(options[gold_index + 1], "
        "cast(to_json(gold_labels) as varchar)) as gold "
        "from golden_items join (select item_id, benchmark_id, meta from items) "
        "using (item_id, benchmark_id) order by (select seq from benchmarks "
        "where benchmarks.benchmark_id = golden_items.benchmark_id)"
    ).fetchall()
    last = connection.execute(
        "select benchmark_id from benchmarks order by seq desc limit 1"
    ).fetchall()
    n_last = connection.execute(
        "select count(*) from items where benchmark_id = ?", [last[0][0]]
    ).fetchall()[0][0]
    if "n_items" in expect and n_last != expect["n_items"]:
        yield f"{n_last} items, not {expect['n_items']}"
    names = ("type", "options", "tier", "family", "meta", "gold")
    stored = {row[0]: dict(zip(names, row[1:], strict=True)) for row in rows}
    for item_id, wanted in expect.get("items", {}).items():
        for name, value in wanted.items():
            found = stored[item_id][name]
            if name == "meta" or (isinstance(value, list) and isinstance(found, str)):
                found = json.loads(found)
            if found != value:
                yield f"{item_id}: {name} is {found}, not {value}"
