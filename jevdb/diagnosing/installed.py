"""Which jevdb this is: versions, where it runs, which extras are there."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from jevdb.base.installing import DISTRIBUTION
from jevdb.base.version import __version__

FOR_DEVELOPERS = "dev"

REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*?(?:;.*extra == ['\"]([\w-]+)['\"])?")


class Package(NamedTuple):
    """A package that jevdb uses, and its version if it is installed."""

    name: str
    version: str | None
    extra: str | None


class Installed(NamedTuple):
    """The program that runs."""

    jevdb: str
    folder: Path
    python: str
    executable: str
    system: str
    packages: tuple[Package, ...]

    def version_of(self, name: str) -> str | None:
        """Return the version of a package, None if it is not installed."""
        return next((each.version for each in self.packages if each.name == name), None)

    @property
    def extras(self) -> dict[str, bool]:
        """Each extra, and whether all of its packages are there."""
        names = sorted({each.extra for each in self.packages if each.extra})
        return {
            name: all(each.version for each in self.packages if each.extra == name)
            for name in names
        }


def installed() -> Installed:
    """Look at the program that runs, without importing what it would use."""
    return Installed(
        __version__,
        Path(__file__).resolve().parents[1],
        platform.python_version(),
        sys.executable,
        f"{platform.system()} {platform.machine()}",
        tuple(_packages()),
    )


def _packages() -> Iterator[Package]:
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        # Run from a checkout that nobody installed.
        requirements = ["duckdb"]
    for requirement in requirements:
        match = REQUIREMENT.fullmatch(requirement)
        if match is None or match[1] == DISTRIBUTION or match[2] == FOR_DEVELOPERS:
            continue
        yield Package(match[1], _version(match[1]), match[2])


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
