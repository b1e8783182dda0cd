"""The pages that the program writes itself: its commands, tables and Python interface.

``python -m docs.generated`` writes them, with ``--check`` it only compares (exit 1 if a
page is not what the program says today).
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import typer.main
from typer.models import ArgumentInfo

from docs.reference import api_page
from jevdb.base.connection import Connection
from jevdb.base.errors import EXIT_CODES
from jevdb.base.text import markdown_text
from jevdb.cli import app
from jevdb.warehouse.database import open_writer

HERE = Path(__file__).parent
KINDS = {int: "N", float: "X", Path: "PATH", str: "TEXT"}
LAYERS_SAID = {
    "tables": "What is stored. Rows are only added, but for tallies that are kept.",
    "current": "Which gold counts, what became of the runs.",
    "scopes": "Which items a report row and a metric cover.",
    "scored": "Every answer judged.",
    "tallies": "Every count and exact sum, taken in one pass.",
    "classes": "What metrics by class, and skills, need besides.",
    "metrics": "One view per metric, all with the same columns.",
    "indices": "I and C, and their components.",
    "reports": "What is shown and exported.",
    "suites": "One score over many benchmarks: members, values, areas, points.",
    "checks": "What is wrong; all of them are empty in a sound warehouse.",
    "record": "What the file itself was made from.",
    "macros": "The formulas, a function each; they can be called in any query.",
}
SECTIONS = {
    "METRICS.md": "rules-metrics.md",
    "SCORING.md": "rules-scoring.md#s",
    "DESIGN.md": "design.md#d",
}


def commands_page() -> str:
    """Return the page of the commands, as their help says them."""
    root: Any = typer.main.get_command(app)
    lines = [
        "# Commands",
        "",
        "Written by `python -m docs.generated` from what `jevdb COMMAND --help` says. "
        "The words are in the [glossary](glossary.md).",
        "",
        "Before the command, for all of them:",
        "",
        *_parameters(root.callback),
        "",
        "| exit code | |",
        "|---:|---|",
        *(f"| {code} | {words} |" for code, words in EXIT_CODES.items()),
    ]
    for path, command in _commands(root, ()):
        lines += ["", *_command(path, command)]
    return "\n".join(lines) + "\n"


def _commands(
    group: Any, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in sorted(getattr(group, "commands", {}).items()):
        yield (*path, name), command
        yield from _commands(command, (*path, name))


def _command(path: tuple[str, ...], command: Any) -> Iterator[str]:
    yield f"{'#' * (len(path) + 1)} jevdb {' '.join(path)}"
    yield ""
    yield (command.help or "").strip()
    rows = _parameters(command.callback) if command.callback else []
    if rows:
        yield ""
        yield from rows
    if command.epilog:
        yield ""
        yield "```sh"
        yield from command.epilog.split("\n\n")[1:]
        yield "```"


def _parameters(callback: Callable[..., object]) -> list[str]:
    function = inspect.unwrap(callback)
    hints = get_type_hints(function, include_extras=True)
    defaults = inspect.signature(function).parameters
    rows = []
    for name, hint in hints.items():
        if get_origin(hint) is Annotated:
            kind, info = get_args(hint)
            rows.append(_parameter(name, kind, info, defaults[name].default))
    if not rows:
        return []
    table = ["| argument or option | |", "|---|---|"]
    return table + [f"| `{name}` | {words} |" for name, words in rows]


def _parameter(name: str, kind: Any, info: Any, default: object) -> tuple[str, str]:
    is_list, kind = _one_of_many(kind)
    choices = [each.value for each in kind] if issubclass(kind, Enum) else []
    shown = info.metavar or ("WORD" if choices else KINDS.get(kind, "TEXT"))
    if isinstance(info, ArgumentInfo):
        label = (info.metavar or name.upper()).removesuffix("...")
        label += "..." if is_list else ""
    else:
        # In an annotation, Typer keeps the first name where the default would stand.
        told = (info.default, *(info.param_decls or ()))
        named = [each for each in told if str(each).startswith("-")]
        label = (named or [f"--{name.replace('_', '-')}"])[0]
        label += "" if kind is bool else f" {shown}"
    words = [info.help] if info.help else []
    if choices:
        words.append("One of " + ", ".join(f"`{word}`" for word in choices) + ".")
    if info.envvar:
        words.append(f"Or `{info.envvar}` in the environment.")
    if default is inspect.Parameter.empty:
        words.append("Required.")
    elif default not in (None, False, ()):
        words.append(f"Default: `{getattr(default, 'value', default)}`.")
    return label.replace("|", "\\|"), " ".join(words).replace("|", "\\|")


def _one_of_many(kind: Any) -> tuple[bool, type]:
    """Return whether a parameter takes several values, and the type of one."""
    if isinstance(kind, UnionType):
        [kind] = [each for each in get_args(kind) if each is not NoneType]
    if get_origin(kind) in (list, tuple):
        return True, get_args(kind)[0]
    return False, kind


class Relation(NamedTuple):
    """A table, view or macro as the catalog has it."""

    name: str
    layer: str
    comment: str
    columns: list[tuple[str, str, str]]


def tables_page() -> str:
    """Return the page of the tables, views and macros, as the catalog says them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.duckdb"
        with open_writer(path, create=True) as connection:
            relations = list(_relations(connection))
    lines = [
        "# Tables and views",
        "",
        "Written by `python -m docs.generated` from the comments in the catalog of a "
        "new warehouse, which any client shows. The words are in the "
        "[glossary](glossary.md):",
        "",
        "```sql",
        "select column_name, comment from duckdb_columns() where table_name = 'report'",
        "```",
        "",
        "Layers only look left: tables, macros, current, scopes, scored, tallies, "
        "classes, metrics, indices, reports, checks.",
    ]
    for layer, words in LAYERS_SAID.items():
        lines += ["", f"## {layer.capitalize()}", "", words]
        of_layer = [each for each in relations if each.layer == layer]
        lines += _checks(of_layer) if layer in ("checks", "macros") else []
        for each in of_layer if layer not in ("checks", "macros") else []:
            lines += ["", *_relation(each)]
    return "\n".join(lines) + "\n"


def _relations(connection: Connection) -> Iterator[Relation]:
    layers = dict(connection.execute("select name, layer from program").fetchall())
    found = connection.execute(
        "select table_name, comment, 'tables' from duckdb_tables() "
        "union all select view_name, comment, 'record' from duckdb_views() "
        "where not internal "
        "union all select function_name || '(' || "
        "array_to_string(parameters, ', ') || ')', comment, 'macros' "
        "from duckdb_functions() where not internal and macro_definition is not null "
        "order by all"
    ).fetchall()
    for name, comment, layer in found:
        columns = connection.execute(
            "select column_name, data_type, comment from duckdb_columns() "
            "where table_name = $name order by column_index",
            {"name": name},
        ).fetchall()
        yield Relation(name, layers.get(name, layer), comment, columns)


def _relation(relation: Relation) -> Iterator[str]:
    yield f"### {relation.name}"
    yield ""
    yield _words(relation)
    yield ""
    yield "| column | type | |"
    yield "|---|---|---|"
    for name, kind, words in relation.columns:
        yield f"| `{name}` | {kind.lower()} | {markdown_text(words)} |"


def _checks(relations: list[Relation]) -> list[str]:
    rows = [f"| `{each.name}` | {_words(each)} |" for each in relations]
    return ["", "| name | |", "|---|---|", *rows]


def _words(relation: Relation) -> str:
    """Return what the comment says, its sources as links to the sections here."""
    name = relation.name.partition("(")[0]
    words = markdown_text(relation.comment.removeprefix(f"{name}: "))
    words, told, source = words.partition("Source: ")
    words = words.strip()
    words = words[:1].upper() + words[1:]
    if words and not words.endswith("."):
        words += "."
    return f"{words} *{told}{_linked(source)}*" if told else words


def _linked(source: str) -> str:
    """Link each section of a document to where this documentation says the same."""
    linked, target = [], ""
    parts = re.split(
        r"(METRICS\.md|SCORING\.md|DESIGN\.md|FORMATS\.md|SUITES\.md|§\d)", source
    )
    for part in parts:
        if part.endswith(".md"):
            target = SECTIONS.get(part, "")
            page = target.partition("#")[0]
            linked.append(f"[{part}]({page})" if page else part)
            continue
        is_place = part.startswith("§") and "#" in target
        linked.append(f"[{part}]({target}{part[1:]})" if is_place else part)
    return "".join(linked)


PAGES = {
    "commands.md": commands_page,
    "tables.md": tables_page,
    "api.md": api_page,
}


def main() -> int:
    """Write the pages, or say which are stale."""
    stale = []
    for name, page in PAGES.items():
        path, text = HERE / name, page()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name}: not what the program says; python -m docs.generated")
    return int(bool(stale) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
