"""Where the SQL files, migrations and seeds are: in the wheel, or beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jevdb.base.errors import UnknownNameError


@cache
def asset_folder(name: str) -> Path:
    """Return the folder *name* (``sql``, ``migrations`` or ``seeds``).

    An installed wheel carries the folders inside the package; in a checkout they lie
    beside it.
    """
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def shipped(kind: str) -> dict[str, Path]:
    """Return the TOML files of ``seeds/KIND`` that come with jevdb, by name."""
    files = (asset_folder("seeds") / kind).glob("*.toml")
    return {path.name.removesuffix(".toml"): path for path in sorted(files)}


def file_or_shipped(path: Path, kind: str, noun: str) -> Path:
    """Return *path* where there is such a file, else the one that ships by this name.

    Raises
    ------
    UnknownNameError
        It is a bare name, and neither a file nor one that ships.
    """
    if path.exists():
        return path
    known = shipped(kind)
    if str(path) not in known and path.suffix != ".toml" and path.name == str(path):
        raise UnknownNameError(noun, str(path), known)
    return known.get(str(path), path)
