"""What is changed, and which tests can see it: `targets.toml`, read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Target(NamedTuple):
    """Files, and the tests that can see a change of one; the cheapest come first."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]


def targets() -> list[Target]:
    """Return every target, in the order of the file."""
    listed = tomllib.loads((HERE / "targets.toml").read_text(encoding="utf-8"))
    return [
        Target(tuple(each["sources"]), tuple(each["tests"]))
        for each in listed["target"]
    ]


def sources(root: Path, only: str = "*") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every file that is changed, with its tests; a file is of its first target.

    Raises
    ------
    SystemExit
        A pattern or a test of the list is of no file.
    """
    seen: set[str] = set()
    for target in targets():
        for test in target.tests:
            if not (root / test.partition("::")[0]).exists():
                raise SystemExit(f"targets.toml: no {test}")
        for pattern in target.sources:
            paths = sorted(root.glob(pattern))
            if not paths:
                raise SystemExit(f"targets.toml: {pattern} is of no file")
            for found in paths:
                path = found.relative_to(root).as_posix()
                if path not in seen and fnmatch(path, only):
                    yield path, target.tests
                seen.add(path)


def equivalents() -> dict[str, str]:
    """Return the changes that change nothing, by key, each with the reason."""
    listed = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {each["key"]: each["reason"] for each in listed.get("mutant", [])}
