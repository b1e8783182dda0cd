"""The SQL files: the program itself, one object a file, in layers that look left.

A file in a view layer is a header comment and one ``select``; a macro file is a header
and one ``create or replace macro``. The file name is the object's name and the header
is its comment in the catalog.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from jevdb.base.version import __version__
from jevdb.warehouse.assets import asset_folder
from jevdb.warehouse.metric_kinds import with_metrics

LAYERS = (
    "macros",
    "current",
    "scopes",
    "scored",
    "tallies",
    "classes",
    "metrics",
    "indices",
    "reports",
    "suites",
    "checks",
)

OVER_OTHER_SCOPES = {"suite_numbers": "suite_scopes"}
"""Views stored written out over other items: with another relation as ``scopes``."""

READS = re.compile(r"\b(?:from|join)\s+([a-z_][a-z0-9_]*)")
CALLS = re.compile(r"\b([a-z_][a-z0-9_]*)\(")


class SqlObject(NamedTuple):
    """A view or macro of the program, as its file defines it."""

    layer: str
    name: str
    header: str
    body: str
    sha256: str

    @property
    def kind(self) -> str:
        """``macro`` or ``view``."""
        return "macro" if self.layer == "macros" else "view"

    @property
    def read_names(self) -> set[str]:
        """What the statement is made of: tables, views and its own CTEs.

        Of a macro it is what it calls.
        """
        found = set((CALLS if self.kind == "macro" else READS).findall(self.body))
        if self.name in OVER_OTHER_SCOPES:
            found.add(OVER_OTHER_SCOPES[self.name])
        return found

    @property
    def statements(self) -> Iterator[str]:
        """The statements that create the object, and its comment, in this order."""
        kind = self.kind
        if kind == "macro":
            kind = "macro table" if " as table" in self.body.lower() else "macro"
            yield self.body
        else:
            yield f'create or replace view "{self.name}" as {self.body}'
        yield f'comment on {kind} "{self.name}" is {quoted(self.header)}'


def quoted(text: str) -> str:
    """Return *text* as a SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def filled(statement: str, values: Mapping[str, str | None]) -> str:
    """Return *statement* with each ``$name`` as the literal it stands for.

    Binding a value makes DuckDB import whatever has arrays, pandas too if it is there:
    a third of a second that a command over a few rows does not have.
    """
    literals = {
        name: "null" if value is None else quoted(value)
        for name, value in values.items()
    }
    return re.sub(r"\$([a-z_]+)", lambda found: literals[found[1]], statement)


def identifier(name: str) -> str:
    """Return *name* as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def parse(path: Path) -> SqlObject:
    """Split a SQL file into its header comment and its statement."""
    text = with_metrics(path.read_text(encoding="utf-8"))
    return parse_text(path.parent.name, path.stem, text)


def parse_text(layer: str, name: str, text: str) -> SqlObject:
    """Split the text of a SQL file into its header comment and its statement."""
    lines = text.splitlines()
    count = next(
        (i for i, line in enumerate(lines) if not line.startswith("--")), len(lines)
    )
    header = " ".join(line.removeprefix("--").strip() for line in lines[:count])
    body = "\n".join(lines[count:]).strip().removesuffix(";")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return SqlObject(layer, name, header, body, digest)


@cache
def program() -> tuple[SqlObject, ...]:
    """Return every object of the program, in the order in which it is created."""
    folder = asset_folder("sql")
    return tuple(
        item
        for layer in LAYERS
        for item in in_order(sorted((folder / layer).glob("*.sql")))
    )


def in_order(paths: list[Path]) -> Iterator[SqlObject]:
    """Yield the objects of a layer so that each comes after those it reads."""
    by_name = {path.stem: parse(path) for path in paths}
    reads = {
        name: sorted(item.read_names & (by_name.keys() - {name}))
        for name, item in by_name.items()
    }
    return (by_name[name] for name in TopologicalSorter(reads).static_order())


WRITERS = ("sqlfiles.py", "writing_out.py")
"""The modules beside this one that say how a file holds the program."""


@cache
def program_sha256() -> str:
    """Return the digest of what a warehouse's views are made from.

    That is all SQL files, and the modules that write them out: where one of these
    changed, a view is another text of the same files.
    """
    parts = "".join(f"{item.layer}/{item.name} {item.sha256}\n" for item in program())
    return hashlib.sha256(parts.encode() + _writers()).hexdigest()


def _writers() -> bytes:
    """Return the text of the modules that write the program out."""
    folder = Path(__file__).parent
    return b"".join((folder / name).read_bytes() for name in WRITERS)


@cache
def query(name: str) -> str:
    """Return the statement of ``sql/queries/<name>.sql``, as in ``site/rows``."""
    return parse(asset_folder("sql") / "queries" / f"{name}.sql").body


def program_view(added: Sequence[SqlObject] = ()) -> str:
    """Return the view that records in a file which SQL it was built from.

    *added* are the views that do not come with the program.
    """
    rows = ",\n    ".join(
        "("
        + ", ".join(
            quoted(value) for value in (item.layer, item.kind, item.name, item.sha256)
        )
        + ")"
        for item in (*program(), *added)
    )
    return (
        "create or replace view program as select layer, kind, name, sha256, "
        f"{quoted(__version__)} as jevdb_version, "
        f"{quoted(program_sha256())} as program_sha256 "
        f"from (values {rows}) as objects (layer, kind, name, sha256)"
    )
