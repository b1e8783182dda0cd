"""What a scoring is besides its scope view: its rules, as a row or in a SQL header.

The rules of jevdb's own scorings are rows of ``scorings``. A user's scoring has its in
the header of its SQL file, where they are part of the text that its digest is of:

    -- acme: one row per report row, subset and item of our support questions.
    -- reference_rule = one_hot
    -- tvd_types = choice, noul

What a header leaves out is as in `RULES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from jevdb.base.errors import (
    InputError,
    Problem,
    UnknownNameError,
    UsageError,
)
from jevdb.base.wording import option
from jevdb.warehouse.schema_words import (
    MAIN_ECES,
    REFERENCE_RULES,
    TIER_RULES,
    TVD_TYPES,
    TYPES,
)
from jevdb.warehouse.sqlfiles import quoted

SAID = re.compile(r"--\s*([a-z]\w*)\s*=\s*(.*?)\s*")
LISTED = ", "

Words = str | tuple[str, ...]
"""What a rule says: a word, or several."""


class Rules(NamedTuple):
    """The rules of a scoring; as they are here, where nothing else is said."""

    reference_rule: str = "given_or_one_hot"
    """What TVD compares an item's distribution with."""
    tier_rule: str = "if_all"
    """When the method's tier weights apply to I."""
    tvd_types: tuple[str, ...] = TVD_TYPES
    """The types whose distributions TVD asks for; others are no lack."""
    main_ece: str = "by_type"
    """The ECE that a report shows: one a type, or one kind alone."""
    item_types: tuple[str, ...] = TYPES
    """The types that items may have."""

    def select(self, scoring: str, title: str) -> str:
        """Return the select that gives the rules as a row of `scoring_rules`."""
        columns = {"scoring": scoring, "title": title, **self._asdict()}
        listed = ",\n    ".join(
            f"{_literal(value)} as {name}" for name, value in columns.items()
        )
        return f"select\n    {listed}"


WORDS: Mapping[str, tuple[str, ...]] = {
    "reference_rule": REFERENCE_RULES,
    "tier_rule": TIER_RULES,
    "tvd_types": TVD_TYPES,
    "main_ece": MAIN_ECES,
    "item_types": TYPES,
}
"""The words of every rule."""

NAMES = ("title", *Rules._fields)
LISTS = ("tvd_types", "item_types")


class Stated(NamedTuple):
    """What the header of a scoring's file says: its title, if any, and its rules."""

    title: str | None
    rules: Rules


def stated(text: str, source: str) -> Stated:
    """Return the title and rules that the text of a scope's SQL file states.

    Raises
    ------
    InputError
        A rule has a word that it does not know, or stands there twice; the problems
        name *source*, the line and the rule.
    """
    found: dict[str, str] = {}
    problems = []
    for number, name, value in _said(text):
        message = _fault(name, value)
        if name in found:
            message = "stated twice; leave one"
        if message:
            problems.append(Problem(source, number, name, message))
        found[name] = value
    if problems:
        raise InputError(problems, is_of_records=False)
    title = found.pop("title", None)
    read: dict[str, Any] = {name: _read(name, found[name]) for name in found}
    return Stated(title, Rules(**read))


def unknown_rules(text: str, source: str) -> Iterator[Problem]:
    """Yield the lines of a header that look like a rule, and are none."""
    for number, line in _header(text):
        said = SAID.fullmatch(line)
        if said is None or said[1] in NAMES:
            continue
        for meant in get_close_matches(said[1], NAMES, n=1):
            message = (
                f"no rule of a scoring; did you mean {meant!r}? A comment does without "
                "the ="
            )
            yield Problem(source, number, said[1], message)


def require_words(rules: Mapping[str, Words]) -> None:
    """Refuse rules, as options give them, with words that they do not know.

    Raises
    ------
    UsageError
        One is none, or has such a word, a word twice, or a title of more than a line.
    """
    for name, value in rules.items():
        if name not in NAMES:
            raise UnknownNameError("rule", name, NAMES)
        text = _line(name, value)
        said = SAID.fullmatch(text)
        message = _fault(name, said[2]) if said else "expected one line"
        if message:
            raise UsageError(f"{option(name)}: {message}")


def restated(text: str, rules: Mapping[str, Words]) -> str:
    """Return the text of a scope's SQL file with *rules* in its header."""
    lines = text.splitlines(keepends=True)
    replaced = {number for number, name, _ in _said(text) if name in rules}
    header = [line for at, line in _header(text) if at not in replaced]
    added = [_line(name, value) for name, value in rules.items()]
    rest = lines[len(list(_header(text))) :]
    return "".join(f"{line}\n" for line in (*header, *added)) + "".join(rest)


def _header(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comment lines that a text begins with, numbered from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("--"):
            return
        yield number, line


def _said(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in _header(text):
        said = SAID.fullmatch(line)
        if said and said[1] in NAMES:
            yield number, said[1], said[2]


def _fault(name: str, value: str) -> str | None:
    if name == "title":
        if not value:
            return "empty; give a title, or leave the line out"
        return None if value.isprintable() else "expected printable characters"
    read = _read(name, value)
    words = read if isinstance(read, tuple) else (read,)
    wrong = [word for word in words if word not in WORDS[name]]
    if wrong:
        return f"{wrong[0]!r}; expected {' or '.join(WORDS[name])}"
    if len(set(words)) < len(words):
        return f"{value!r} has a word twice"
    return None


def _read(name: str, value: str) -> Words:
    if name not in LISTS:
        return value
    return tuple(part.strip() for part in value.split(","))


def _line(name: str, value: Words) -> str:
    words = value if isinstance(value, str) else LISTED.join(value)
    return f"-- {name} = {words}"


def _literal(value: Words) -> str:
    if isinstance(value, str):
        return quoted(value)
    return f"[{', '.join(map(quoted, value))}]"
