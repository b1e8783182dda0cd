"""What takes a name, or is told to others, is on the disk before; its name after.

A power cut leaves what was synced: a file that has its name before its bytes are there
would be empty.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import fill, jevdb

Event = tuple[str, str]


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Event]]:
    """What is synced and named, in this order, by the last part of its path."""
    seen: list[Event] = []

    def watched(word: str, place: int) -> None:
        given = getattr(os, word)

        def call(*arguments: object, **options: object) -> object:
            done = given(*arguments, **options)
            seen.append(("named", Path(str(arguments[place])).name))
            return done

        monkeypatch.setattr(os, word, call)

    fsync = os.fsync

    def synced(handle: int) -> None:
        fsync(handle)
        seen.append(("synced", Path(os.readlink(f"/proc/self/fd/{handle}")).name))

    for word, place in (("link", 1), ("rename", 1), ("replace", 1)):
        watched(word, place)
    monkeypatch.setattr(os, "fsync", synced)
    yield seen


@pytest.fixture
def path(warehouse_path: Path) -> Path:
    fill(warehouse_path)
    return warehouse_path


def test_an_export_is_synced_before_it_has_its_name(path: Path, events: list[Event]):
    out = path.parent / "out.json"
    assert jevdb(path, "export", "--out", str(out)).exit_code == 0
    beside = f".out.json.{os.getpid()}"
    assert events[-2:] == [("synced", beside), ("named", "out.json")]


def test_the_name_of_a_new_warehouse_is_synced(tmp_path: Path, events: list[Event]):
    folder = tmp_path / "there"
    folder.mkdir()
    assert jevdb(folder / "new.duckdb", "init").exit_code == 0
    named = events.index(("named", "new.duckdb"))
    assert ("synced", "there") in events[named:]


def test_the_name_of_a_compact_copy_is_synced(path: Path, events: list[Event]):
    assert jevdb(path, "compact").exit_code == 0
    named = events.index(("named", path.name))
    assert events[named + 1] == ("synced", path.parent.name)


def test_a_bundle_is_synced_before_it_has_its_name(path: Path, events: list[Event]):
    folder = path.parent / "there"
    folder.mkdir()
    assert jevdb(path, "backup", str(folder / "b")).exit_code == 0
    named = events.index(("named", "b"))
    files = {each.name for each in (folder / "b").iterdir()}
    assert {name for word, name in events[:named] if word == "synced"} >= files
    assert ("synced", "bundle") in events[:named], "the names of its files"
    assert events[named + 1] == ("synced", "there")


def test_so_is_a_bundle_in_one_file(path: Path, events: list[Event]):
    folder = path.parent / "there"
    folder.mkdir()
    assert jevdb(path, "backup", str(folder / "b.tar")).exit_code == 0
    named = events.index(("named", "b.tar"))
    assert events[named - 1] == ("synced", "bundle.tar")
    assert ("synced", "there") in events[named:]
