"""The page of the Python interface, as its docstrings say it."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType

import jevdb
from jevdb.base.errors import EXIT_CODES, JevdbError, Problem
from jevdb.base.text import markdown_text

HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
LISTED = ("Parameters", "Returns", "Raises")
SHORTER = (
    (re.compile(r"\b(?:jevdb|collections|datetime|pathlib|os|typing)(?:\.\w+)*\."), ""),
    # Annotations are kept as text.
    (re.compile(r"(?<=: )'([^']*)'|(?<=-> )'([^']*)'"), r"\1\2"),
)
SIGNATURE_WIDTH = 88


def api_page() -> str:
    """Return the page: functions, methods by what they are for, results, errors."""
    warehouse = jevdb.Warehouse
    results = [
        each
        for name in jevdb.__all__
        if inspect.isclass(each := getattr(jevdb, name))
        and each not in (warehouse, Problem)
        and not issubclass(each, BaseException)
    ]
    lines = [
        "# Python reference",
        "",
        "Written by `python -m docs.generated` from the docstrings, which `help` shows "
        "too. [Python](python.md) shows how they are used; tests run the examples. The "
        "words are in the [glossary](glossary.md).",
        "",
        "## jevdb",
    ]
    for name in ("open", "restore"):
        lines += ["", *_function(f"jevdb.{name}", getattr(jevdb, name))]
    lines += ["", "## jevdb.Warehouse", "", *_docstring(inspect.getdoc(warehouse))]
    for group in warehouse.__mro__[1:-1]:
        lines += _group(group)
    lines += ["", "## Results"]
    for each in results:
        lines += ["", *_class(each)]
    lines += ["", "## Errors", "", "| error | exit code | |", "|---|---:|---|"]
    lines += [_error(name) for name in jevdb.__all__ if _is_error(name)]
    lines += ["", *_class(Problem)]
    return "\n".join(lines) + "\n"


def _group(group: type) -> list[str]:
    """Return a part of the warehouse's methods, if any is for everybody."""
    mine = list(_members(group))
    if not mine:
        return []
    title, _, rest = (inspect.getdoc(group) or group.__name__).partition("\n\n")
    lines = ["", f"### {_inline(title).rstrip('.')}"]
    lines += ["", *_docstring(rest)] if rest else []
    for name, member in mine:
        lines += ["", *_member(f"Warehouse.{name}", member, "####")]
    return lines


def _members(owner: type) -> Iterator[tuple[str, object]]:
    """Yield what a class itself defines that is for everybody."""
    for name, member in vars(owner).items():
        if not name.startswith("_") and isinstance(member, FunctionType | property):
            yield name, member


def _member(name: str, member: object, level: str) -> list[str]:
    if isinstance(member, property):
        return [f"{level} {name}", "", *_docstring(inspect.getdoc(member))]
    return _function(name, member, level)


def _class(owner: type) -> list[str]:
    lines = [f"### jevdb.{owner.__name__}", "", *_docstring(inspect.getdoc(owner))]
    fields = [name for name in _fields(owner) if not name.startswith("_")]
    if fields:
        lines += ["", f"Fields: {', '.join(f'`{name}`' for name in fields)}."]
    for name, member in _members(owner):
        words = (inspect.getdoc(member) or "").partition("\n\n")[0]
        call = "" if isinstance(member, property) else "()"
        lines += ["", f"- `{name}{call}`: {_inline(words)}"] if words else []
    return _closed_up(lines)


def _closed_up(lines: list[str]) -> list[str]:
    """Return lines without blanks between the entries of a list."""
    return [
        line
        for place, line in enumerate(lines)
        if line
        or not (lines[place - 1].startswith("- ") and lines[place + 1].startswith("- "))
    ]


def _fields(owner: type) -> list[str]:
    named = getattr(owner, "_fields", None)
    return list(named or getattr(owner, "__dataclass_fields__", None) or ())


def _is_error(name: str) -> bool:
    found = getattr(jevdb, name)
    return inspect.isclass(found) and issubclass(found, BaseException)


def _error(name: str) -> str:
    error = getattr(jevdb, name)
    code = getattr(error, "exit_code", None) if issubclass(error, JevdbError) else 130
    known = code if code in EXIT_CODES else ""
    words = (inspect.getdoc(error) or "").partition("\n\n")[0]
    return f"| `jevdb.{name}` | {known} | {markdown_text(_inline(words))} |"


def _function(name: str, function: object, level: str = "###") -> list[str]:
    assert callable(function)
    return [
        f"{level} {name}",
        "",
        "```python",
        _signature(name.rpartition(".")[2], function),
        "```",
        "",
        *_docstring(inspect.getdoc(function)),
    ]


def _signature(name: str, function: object) -> str:
    """Return how a function is called, a parameter a line where it is long."""
    assert callable(function)
    found = inspect.signature(inspect.unwrap(function))
    kept = [each for each in found.parameters.values() if each.name != "self"]
    said = str(found.replace(parameters=kept))
    for pattern, other in SHORTER:
        said = pattern.sub(other, said)
    if len(name + said) <= SIGNATURE_WIDTH:
        return name + said
    parts = [str(each) for each in kept]
    first = next(
        (i for i, each in enumerate(kept) if each.kind is each.KEYWORD_ONLY), -1
    )
    if first >= 0 and not any(each.kind is each.VAR_POSITIONAL for each in kept):
        parts.insert(first, "*")
    returned = said.rpartition(") -> ")[2] if ") -> " in said else ""
    for pattern, other in SHORTER:
        parts = [pattern.sub(other, part) for part in parts]
    arrow = f" -> {returned}" if returned else ""
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){arrow}"])


def _docstring(text: str | None) -> list[str]:
    """Return a docstring in numpy's style as Markdown."""
    if not text:
        return []
    pieces = HEADING.split(text)
    lines = _prose(pieces[0])
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        lines += ["", f"**{title}**", ""]
        lines += _listed(body) if title in LISTED else _prose(body)
    return lines


def _prose(text: str) -> list[str]:
    """Return paragraphs, and examples as code."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if not paragraph.strip():
            continue
        lines += [""] if lines else []
        if paragraph.lstrip().startswith(">>>"):
            lines += ["```python", *textwrap.dedent(paragraph).split("\n"), "```"]
        else:
            lines += [_inline(paragraph)]
    return lines


def _listed(body: str) -> list[str]:
    """Return the entries of a section: what it is called, what it means."""
    entries: list[list[str]] = []
    for line in body.strip("\n").split("\n"):
        if line and not line.startswith(" "):
            entries.append([line])
        elif line.strip():
            entries[-1].append(line.strip())
    return [
        f"- `{name}`" + (f": {_inline(' '.join(words))}" if words else "")
        for name, *words in entries
    ]


def _inline(text: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", " ".join(text.split()))
