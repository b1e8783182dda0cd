"""Where this machine keeps what it can make anew: the mirrors of lakes."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return where mirrors are: ``JEVDB_CACHE``, else in the user's cache."""
    if given := os.environ.get("JEVDB_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "jevdb" / "lakes"
