"""Programs that some tests need and pip cannot install: found, or said loudly.

Without one its tests are skipped and the end of the run says so. ``JEVDB_REQUIRE``
names those that must be there (``browser,npm,postgres``): then a missing one is a
failure.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

NOT_TESTED = "NOT TESTED"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> Path | None:
    """Return ``JEVDB_CHROMIUM``, else the first Chromium on the path."""
    named = os.environ.get("JEVDB_CHROMIUM")
    found = [named] if named else [shutil.which(name) for name in BROWSERS]
    return next((Path(path) for path in found if path), None)


def find_postgres() -> Path | None:
    """Return the server program: Debian's newest, else the one on the path."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"),
        key=lambda path: int(path.parts[-3]) if path.parts[-3].isdigit() else 0,
    )
    if installed:
        return installed[-1]
    found = shutil.which("postgres")
    return Path(found) if found else None


def find_npm() -> Path | None:
    """Return npm, by which the engine of Explore is fetched."""
    found = shutil.which("npm")
    return Path(found) if found else None


FINDERS = {"browser": find_browser, "postgres": find_postgres, "npm": find_npm}


def required() -> set[str]:
    """Return what ``JEVDB_REQUIRE`` names; another word is a usage error."""
    words = os.environ.get("JEVDB_REQUIRE", "").split(",")
    names = {word.strip() for word in words if word.strip()}
    unknown = names - FINDERS.keys()
    if unknown:
        raise pytest.UsageError(
            f"JEVDB_REQUIRE: {', '.join(sorted(unknown))}: not one of "
            f"{', '.join(sorted(FINDERS))}"
        )
    return names


def need(name: str) -> Path:
    """Return the program's path; skip the test without it, or fail where required."""
    found = FINDERS[name]()
    if found is not None:
        return found
    words = f"{NOT_TESTED}: no {name} on this machine; `make {name}` installs it"
    if name in required():
        pytest.fail(words, pytrace=False)
    pytest.skip(words)


def not_tested(terminal: pytest.TerminalReporter) -> list[str]:
    """Return one line per missing program, with how many tests it cost."""
    reasons: dict[str, int] = {}
    for report in terminal.stats.get("skipped", []):
        words = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
        if NOT_TESTED in words:
            reason = words[words.index(NOT_TESTED) + len(NOT_TESTED) + 2 :]
            reasons[reason] = reasons.get(reason, 0) + 1
    return [f"{count} tests: {reason}" for reason, count in sorted(reasons.items())]
