"""What this machine knows already: what jevdb makes, and files that it has looked into.

To look a file's catalog through takes longer than to open it. So it is done once, and
again when anything of the file changed: its place, size, or either time that the file
system keeps of it. What is kept lies in a folder of the user's alone, and can be
deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import duckdb

from jevdb.warehouse.contents import Contents, Thing
from jevdb.warehouse.kept import keep, kept
from jevdb.warehouse.sqlfiles import program_sha256

_made: dict[str, Contents] = {}
_states: dict[str, str] = {}


def own_contents(make: Callable[[], Contents]) -> Contents:
    """Return what a new warehouse of this program holds, made by *make* if need be."""
    name = f"contents-{_program()}"
    if name not in _made:
        _made[name] = _from_text(kept(name)) or _learned(name, make())
    return _made[name]


def _learned(name: str, made: Contents) -> Contents:
    things = [list(thing) for held in made.values() for thing in held]
    keep(name, json.dumps(things).encode())
    return made


def _from_text(text: bytes | None) -> Contents | None:
    if text is None:
        return None
    found: dict[str, tuple[Thing, ...]] = {}
    for kind, schema, name, definition, names, types in json.loads(text):
        thing = Thing(kind, schema, name, definition, tuple(names), tuple(types))
        found[thing.key] = (*found.get(thing.key, ()), thing)
    return found


def state_of(path: Path) -> str | None:
    """Return what changes when a file, or its log, changes; None if there is none."""
    parts = []
    for each in (path, path.with_name(f"{path.name}.wal")):
        try:
            found = each.stat()
        except FileNotFoundError:
            parts.append("none")
        except OSError:
            return None
        else:
            parts.append(
                f"{found.st_dev} {found.st_ino} {found.st_size} "
                f"{found.st_mtime_ns} {found.st_ctime_ns}"
            )
    return None if parts[0] == "none" else ", ".join(parts)


def is_known(path: Path, state: str | None) -> bool:
    """Whether a file in this state was found to hold what jevdb makes, and no more."""
    if state is None:
        return False
    name = _name_of(path)
    if name not in _states:
        _states[name] = (kept(name) or b"").decode(errors="replace")
    return _states[name] == _stamped(state)


def remember(path: Path) -> None:
    """Keep that a file, as it is now, holds what jevdb makes, and no more."""
    state = state_of(Path(os.path.realpath(path)))
    if state is None:
        return
    name = _name_of(path)
    if _states.get(name) != _stamped(state):
        _states[name] = _stamped(state)
        keep(name, _stamped(state).encode())


def _stamped(state: str) -> str:
    return f"{state}, {_program()}"


def _program() -> str:
    return f"{duckdb.__version__}-{program_sha256()}"


def _name_of(path: Path) -> str:
    place = os.path.realpath(path)
    return f"file-{hashlib.sha256(os.fsencode(place)).hexdigest()}"
