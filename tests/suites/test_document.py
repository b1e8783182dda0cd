"""Suites as files: every fault at once, one digest, and never another content."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

import pytest
from suite_world import member, store, toml

from jevdb.base.connection import Connection
from jevdb.base.errors import ConflictError, InputError, JevdbError, UnknownNameError
from jevdb.suites.storing import add_suite, find_suite, stored_suites

FAULTY = """
name = "small suite"
version = 1
metod = "metrics-md"
method = "metrics"
aggregate = "areas"
also = ["borda", "rank"]
tie = -1
scale = 0

[areas]
one = 0
gone = 1.0

[[member]]
benchmark = "north"
metric = "acuracy"
area = "one"

[[member]]
benchmark = "nowhere"
metric = "accuracy"
area = "two"

[[member]]
benchmark = "north"
metric = "accuracy"
area = "one"
row = "all"
kind = "pooled"
weight = 0
round = 16
clip = 1

[[member]]
benchmark = "empty"
metric = "accuracy"
area = "one"

[[member]]
benchmark = "north"
metric = "brier"

[[member]]
benchmark = "north"
metric = "accuracy"
area = "one"
transform = "skill"
base = 1.5
exclude = ["q9"]

[[member]]
benchmark = "south"
metric = "ece"
area = "one"
transform = "skill"
base = "constant"
"""


@pytest.fixture
def small(warehouse: Connection) -> Connection:
    store(warehouse, {"north": {"m": "++--"}, "south": {"m": "+++-"}})
    warehouse.execute(
        "insert into benchmarks (benchmark_id, name, scoring, seq) "
        "values ('empty', 'empty', 'generic', 0)"
    )
    return warehouse


def refused(connection: Connection, path: Path) -> list[tuple[str | None, str]]:
    with pytest.raises(InputError) as caught:
        add_suite(connection, path)
    assert connection.execute("from suites").fetchall() == []
    return [(each.field, each.message) for each in caught.value.problems]


def test_every_fault_of_a_file_is_named_at_once(small: Connection, tmp_path: Path):
    path = tmp_path / "faulty.toml"
    path.write_text(FAULTY, "utf-8")
    found = dict(refused(small, path))
    fields = {
        *("metod", "name", "version", "aggregate", "also", "tie", "scale", "areas"),
        *("method", "areas.gone", "member[1].metric", "member[2].benchmark"),
        *("member[2].area", "member[3].row", "member[3].kind", "member[3].weight"),
        *("member[3].round", "member[3].clip", "member[4].benchmark"),
        *("member[5].area", "member[5].transform", "member[6].base"),
        *("member[6].exclude", "member[7].base"),
    } - {"aggregate"}
    assert set(found) == fields
    assert found["metod"] == "no key of a suite; did you mean 'method'?"
    assert "accuracy" in found["member[1].metric"]
    assert "ingest its items, or its published results" in found["member[4].benchmark"]
    assert found["areas.gone"] == "an area without members"
    assert found["member[6].exclude"] == "north has no item 'q9'"
    assert "say a number" in found["member[7].base"]


def test_a_member_twice_and_a_benchmark_in_two_clusters(
    small: Connection, tmp_path: Path
):
    members = [
        member("north"),
        member("north", kind="all"),
        member("north", kind="choice", cluster="else"),
    ]
    assert refused(small, toml(tmp_path / "s.toml", members)) == [
        ("member[2]", "the same as member[1]; take one out"),
        (
            "member[3].cluster",
            "'else', but member[1] asks the same items of north in 'north'; name one "
            "cluster",
        ),
    ]


def test_a_loss_needs_a_base(small: Connection, tmp_path: Path):
    [(field, words)] = refused(
        small, toml(tmp_path / "s.toml", [member("north", metric="brier")])
    )
    assert field == "member[1].transform"
    assert 'transform = "skill"' in words


def test_no_toml_and_no_file(small: Connection, tmp_path: Path):
    path = tmp_path / "s.toml"
    with pytest.raises(JevdbError, match="cannot read"):
        add_suite(small, path)
    path.write_text("name =", "utf-8")
    [(field, words)] = refused(small, path)
    assert field is None
    assert words.startswith("no TOML")


def test_the_document_is_whole_and_its_digest_of_canonical_json(
    small: Connection, tmp_path: Path
):
    members = [
        member("north", area="a"),
        member("south", area="b", transform="skill", base="uniform"),
        member("north", kind="choice", area="b", weight=2),
    ]
    path = toml(tmp_path / "s.toml", members, aggregate="areas", areas="sqrt")
    suite, is_new = add_suite(small, path)
    assert is_new
    assert add_suite(small, path) == (suite, False)
    [(document, sha256)] = small.execute(
        "select document, sha256 from suites"
    ).fetchall()
    # Canonical: sorted keys, no spaces, every default, weights written out.
    filled = {
        **{"area": "a", "base": None, "benchmark": "north", "best": 1.0},
        **{"clip": False, "cluster": "north", "exclude": [], "exclude_reason": None},
        **{"kind": "all", "metric": "accuracy", "round": 0, "row": None},
        **{"transform": "none", "weight": 1.0},
    }
    expected = {
        **{"name": "small", "version": "1", "method": "metrics-md", "also": []},
        **{"aggregate": "areas", "missing": "unranked", "unanswered": "wrong"},
        **{"tie": 0.0, "scale": 100.0, "areas": {"a": 1.0, "b": math.sqrt(2)}},
        "member": [
            filled,
            {
                **filled,
                **{"area": "b", "benchmark": "south", "cluster": "south"},
                **{"transform": "skill", "base": "uniform"},
            },
            {**filled, "area": "b", "kind": "choice", "weight": 2.0},
        ],
    }
    text = json.dumps(expected, sort_keys=True, separators=(",", ":"))
    assert document == text
    assert sha256 == hashlib.sha256(text.encode()).hexdigest()
    [(kind, content)] = small.execute(
        "select kind, content_sha256 from ingests order by seq desc limit 1"
    ).fetchall()
    assert (kind, content) == ("suite", sha256)


def test_a_suite_never_changes_and_the_newest_version_is_meant(
    small: Connection, tmp_path: Path
):
    path = tmp_path / "s.toml"
    add_suite(small, toml(path, [member("north")]))
    with pytest.raises(ConflictError, match="choose another version"):
        add_suite(small, toml(path, [member("south")]))
    add_suite(small, toml(path, [member("south")], version="2"))
    assert [suite.id for suite in stored_suites(small)] == ["small@1", "small@2"]
    assert find_suite(small, "small").id == "small@2"
    assert find_suite(small, "small@1").members[0]["benchmark"] == "north"
    with pytest.raises(UnknownNameError, match="small@1"):
        find_suite(small, "small@3")


def test_a_changed_document_is_found(small: Connection, tmp_path: Path):
    add_suite(small, toml(tmp_path / "s.toml", [member("north")]))
    small.execute("update suites set document = replace(document, 'north', 'south')")
    found = small.execute("select subject from wrong_suites").fetchall()
    assert found == [("suite small@1",)]
    with pytest.raises(JevdbError, match="does not give its digest"):
        find_suite(small, "small")
