"""The rooms of the house: who imports whom, lazily or for types alone too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import jevdb

HOUSE = Path(jevdb.__file__).parent
ROOMS = (
    *("base", "numerics", "warehouse", "scoring", "ingest", "comparison", "suites"),
    *(
        "exports",
        "bundles",
        "lake",
        "diagnosing",
        "demonstration",
        "plots",
        "site",
        "api",
    ),
    *("commands", "cli", "entry", "jevdb"),
)
"""A room imports from those before it; ``jevdb`` is the package itself, its names."""
MOST_ROOMS = 20

Graph = Mapping[str, frozenset[str]]


def modules() -> dict[str, Path]:
    found = {}
    for path in HOUSE.rglob("*.py"):
        parts = ("jevdb", *path.relative_to(HOUSE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules of the house that a file imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            source = node.module or ""
            for each in node.names:
                inner = f"{source}.{each.name}"
                if inner in known:
                    yield inner
                elif source in known:
                    yield source


@pytest.fixture(scope="module")
def files() -> Graph:
    known = modules()
    return {
        name: frozenset(imported(ast.parse(path.read_bytes()), known)) - {name}
        for name, path in known.items()
    }


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def part(module: str) -> str:
    """The file or folder of a room that a module is in."""
    return ".".join(module.split(".")[:3])


def contracted(graph: Graph, names: Mapping[str, str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module, others in graph.items():
        inside = found.setdefault(names[module], set())
        inside |= {names[other] for other in others} - {names[module]}
    return found


def circle(graph: Mapping[str, set[str] | frozenset[str]]) -> list[str]:
    """Return the members of a circle, each imported by the next; none is empty."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_there_are_few_rooms_and_each_has_its_place():
    there = {
        path.stem
        for path in HOUSE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__"}
    assert there == set(ROOMS) - {"jevdb"}
    assert len(there) <= MOST_ROOMS


def test_a_room_imports_only_from_rooms_below(files: Graph):
    upwards = [
        f"{module} imports {other}"
        for module, others in sorted(files.items())
        for other in sorted(others)
        if ROOMS.index(room(module)) < ROOMS.index(room(other))
    ]
    assert not upwards


def test_no_rooms_import_each_other_in_a_circle(files: Graph):
    assert circle(contracted(files, {name: room(name) for name in files})) == []


def test_no_files_import_each_other_in_a_circle(files: Graph):
    assert circle(files) == []


def test_no_parts_of_a_room_import_each_other_in_a_circle(files: Graph):
    """A folder in a room counts as one part, and so does a file beside it."""
    assert circle(contracted(files, {name: part(name) for name in files})) == []


@pytest.mark.parametrize(
    "source",
    [
        "import jevdb.base.text",
        "from jevdb.base import text",
        "from jevdb.base.text import visible as columns",
        "def late():\n    from jevdb.base.text import visible",
        "if TYPE_CHECKING:\n    from jevdb.base.text import visible",
    ],
)
def test_every_way_to_import_is_seen(source: str):
    assert set(imported(ast.parse(source), modules())) == {"jevdb.base.text"}


def test_a_circle_is_seen():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"a"}}) == []
