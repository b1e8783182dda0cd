"""What a build adds: the commit it is built from, for `jevdb --version`.

A source distribution carries it on; without git, or outside of a checkout, there is
none.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "commit.txt"


class Commit(BuildHookInterface[Any]):
    """Adds ``commit.txt``: to the package in a wheel, to the top of the source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the file that the source has, or make it of the checkout."""
        root = Path(self.root)
        path = root / NAME
        found = None if path.exists() else commit_of(root)
        if found:
            self.made = tempfile.TemporaryDirectory()
            path = Path(self.made.name) / NAME
            path.write_text(f"{found}\n", encoding="utf-8")
        if path.exists() and version != "editable":
            place = NAME if self.target_name == "sdist" else f"jevdb/{NAME}"
            build_data["force_include"][str(path)] = place


def commit_of(root: Path) -> str | None:
    """Return the commit of a checkout; one that was changed since says so."""
    try:
        if Path(_git(root, "rev-parse", "--show-toplevel")).resolve() != root.resolve():
            return None
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit} and changes" if changed else commit


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()
