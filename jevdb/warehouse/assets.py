"""Where the SQL files, migrations and seeds are: in the wheel, or beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def asset_folder(name: str) -> Path:
    """Return the folder *name* (``sql``, ``migrations`` or ``seeds``).

    An installed wheel carries the folders inside the package; in a checkout they lie
    beside it.
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
