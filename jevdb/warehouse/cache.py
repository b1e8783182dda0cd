"""Where this machine keeps what it can make anew: the mirrors of lakes."""

from __future__ import annotations

import os
import re
from pathlib import Path

MIRROR = re.compile(r"[0-9a-f]{16}-[0-9]{4}-.+\.duckdb")


def cache_folder() -> Path:
    """Return where mirrors are: ``JEVDB_CACHE``, else in the user's cache."""
    if given := os.environ.get("JEVDB_CACHE"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("jevdb", appauthor=False) / "lakes"


def is_mirror(path: Path) -> bool:
    """Whether a file is the mirror of a lake, by whatever path it is reached.

    The cache may be elsewhere for whoever asks, so its name alone is enough.
    """
    real = Path(os.path.realpath(path))
    return (
        real.parent == Path(os.path.realpath(cache_folder()))
        or MIRROR.fullmatch(real.name) is not None
    )
