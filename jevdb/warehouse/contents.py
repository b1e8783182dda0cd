"""What the catalog of a file holds, and what of it is not jevdb's.

A warehouse may come from anybody. Its views are statements that run when they are read,
and a macro of the file goes before a function of DuckDB of the same name, ``+`` too. So
before anything of a file is read, its catalog is held against what this program makes:
whatever has a name of jevdb's has to be what jevdb makes of that name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from jevdb.base.text import shortened, visible
from jevdb.warehouse.sqlfiles import filled, query

RELATIONS = ("table", "view")
MACROS = ("macro", "table_macro")
OWN_SCHEMA = "main"
HIDING_SCHEMAS = {"system", "temp", "memory", "information_schema", "pg_catalog"}
"""Names that a statement means a catalog or a schema of DuckDB's by."""
SHOWN_CHARACTERS = 60
MOST_LISTED = 5
DATABASES = "select database_name, internal from system.main.duckdb_databases()"
FUNCTIONS = """\
select distinct function_name
from system.main.duckdb_functions()
where database_name = 'system'"""


class _Cursor(Protocol):
    def fetchall(self) -> Sequence[Sequence[object]]: ...


Execute = Callable[[str], _Cursor]


class Thing(NamedTuple):
    """A table, view, macro or whatever else a catalog holds."""

    kind: str
    schema: str
    name: str
    definition: str | None = None
    parameters: tuple[str, ...] = ()
    parameter_types: tuple[str | None, ...] = ()

    @property
    def key(self) -> str:
        """What there is one of: a relation, or the overloads of a macro."""
        kind = "relation" if self.kind in RELATIONS else self.kind
        kind = "macro" if kind in MACROS else kind
        schema = "" if self.schema == OWN_SCHEMA else f"{self.schema}."
        return f"{kind} {schema}{lowered(self.name)}"

    def __str__(self) -> str:
        """Return what it is called in words."""
        is_elsewhere = self.schema != OWN_SCHEMA and self.kind != "schema"
        schema = f"{named(self.schema)}." if is_elsewhere else ""
        return f"{self.kind.replace('_', ' ')} {schema}{named(self.name)}"


Contents = Mapping[str, tuple[Thing, ...]]
"""What a catalog holds, by key; several things are the overloads of one macro."""


class Strangers(NamedTuple):
    """What a file holds that is not jevdb's.

    ``tables`` stand where a table of jevdb's should; ``replaced`` where a view or macro
    should; ``hiding`` go before functions or schemas of DuckDB; ``others`` have names
    of their own, and no statement of jevdb's reads them.
    """

    tables: tuple[Thing, ...] = ()
    replaced: tuple[Thing, ...] = ()
    hiding: tuple[Thing, ...] = ()
    others: tuple[Thing, ...] = ()

    @property
    def in_the_way(self) -> tuple[Thing, ...]:
        """Those that a statement of jevdb's could come upon."""
        return (*self.tables, *self.replaced, *self.hiding)


def lowered(name: str) -> str:
    """Return a name as DuckDB compares it: it folds the case of ASCII letters alone."""
    return "".join(c.lower() if c.isascii() else c for c in name)


def named(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """Return text from a file as a message shows it: in one line, and cut."""
    return shortened(visible(" ".join(text[: 4 * most].split())), most)


def listed(found: Sequence[Thing]) -> str:
    """Return what strangers are called in words, the first few of them."""
    names = ", the ".join(str(each) for each in found[:MOST_LISTED])
    more = len(found) - MOST_LISTED
    return names if more <= 0 else f"{names} and {more} more"


def database_of(execute: Execute) -> str:
    """Return DuckDB's name for the file that a connection has open."""
    [name] = [name for name, internal in execute(DATABASES).fetchall() if not internal]
    return str(name)


def contents(execute: Execute, database: str | None = None) -> Contents:
    """Return all that the catalog of the open file holds; nothing of it is run."""
    name = database_of(execute) if database is None else database
    found: dict[str, list[Thing]] = defaultdict(list)
    asked = filled(query("warehouse/contents"), {"database": name})
    for row in execute(asked).fetchall():
        thing = _thing(*row)
        found[thing.key].append(thing)
    return {key: tuple(sorted(held, key=repr)) for key, held in found.items()}


def _thing(
    kind: Any, schema: Any, name: Any, definition: Any, names: Any, types: Any
) -> Thing:
    return Thing(kind, schema, name, definition, tuple(names or ()), tuple(types or ()))


def strangers(execute: Execute, found: Contents, expected: Contents) -> Strangers:
    """Return what a file holds that this program would not have put there."""
    foreign = [
        thing
        for key, held in found.items()
        if held != expected.get(key)
        for thing in held
    ]
    if not foreign:
        return Strangers()
    functions: set[str] = set()
    if any(each.kind in MACROS for each in foreign):
        rows = execute(FUNCTIONS).fetchall()
        functions = {lowered(str(name)) for (name,) in rows}
    placed: dict[str, list[Thing]] = defaultdict(list)
    for each in foreign:
        placed[_place(each, expected, functions)].append(each)
    return Strangers(**{place: tuple(held) for place, held in placed.items()})


def _place(thing: Thing, expected: Contents, functions: set[str]) -> str:
    if own := expected.get(thing.key):
        return "tables" if own[0].kind == "table" else "replaced"
    if thing.kind == "schema":
        return "hiding" if lowered(thing.name) in HIDING_SCHEMAS else "others"
    if thing.kind in MACROS and lowered(thing.name) in functions:
        return "hiding"
    return "others"
