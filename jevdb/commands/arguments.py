"""Root options wherever a person types them, and `--json` for `--format json`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import Any, NamedTuple

ROOT_OPTIONS = ("--db", "--lock-timeout")
JSON = "--json"
FORMAT = "--format"
END = "--"


class _Command(NamedTuple):
    """The command that arguments call, and the place behind its last word."""

    command: Any
    end: int

    def has(self, option: str) -> bool:
        """Whether the command has an option of that name itself."""
        return any(option in each.opts for each in self.command.params)

    def writes_json(self) -> bool:
        """Whether its `--format` may be json."""
        defaults = (each.default for each in self.command.params if FORMAT in each.opts)
        return any(isinstance(e, Enum) and _has_json(type(e)) for e in defaults)


def _has_json(kind: type[Enum]) -> bool:
    return any(each.value == "json" for each in kind)


def arranged(root: Any, arguments: Sequence[str]) -> list[str]:
    """Return the arguments with those of *root* before the command.

    An option that the command itself has keeps its place and its meaning. `--json` is
    `--format json` where the command has formats.
    """
    end = arguments.index(END) if END in arguments else len(arguments)
    given, rest = list(arguments[:end]), list(arguments[end:])
    before, given = _taken(given, _called(root, given))
    called = _called(root, given)
    if JSON not in given:
        return [*before, *given, *rest]
    place = given.index(JSON)
    if called.has(JSON):
        words = [JSON]
    elif called.writes_json():
        words = [FORMAT, "json"]
    else:
        return [*before, *given, *rest]
    after = [each for each in given if each != JSON]
    end = called.end - (place < called.end)
    return [*before, *after[:end], *words, *after[end:], *rest]


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether arguments, arranged, ask for JSON on stdout."""
    as_one_word = JSON in arguments or f"{FORMAT}=json" in arguments
    return as_one_word or (FORMAT, "json") in pairwise(arguments)


def _called(root: Any, arguments: Sequence[str]) -> _Command:
    """Return the command that is called; the root itself where none is."""
    found = _Command(root, 0)
    skips = False
    for place, word in enumerate(arguments):
        if skips or word.startswith("-"):
            skips = not skips and word in ROOT_OPTIONS
            continue
        inner = getattr(found.command, "commands", {}).get(word)
        if inner is None:
            break
        found = _Command(inner, place + 1)
    return found


def _taken(arguments: list[str], called: _Command) -> tuple[list[str], list[str]]:
    """Return the root's options with their values, and the other arguments."""
    taken: list[str] = []
    others: list[str] = []
    rest = iter(enumerate(arguments))
    for place, word in rest:
        name, equals, _ = word.partition("=")
        is_own = place >= called.end and called.end > 0 and called.has(name)
        if name not in ROOT_OPTIONS or is_own:
            others.append(word)
            continue
        taken.append(word)
        if not equals and place + 1 < len(arguments):
            taken.append(next(rest)[1])
    return taken, others
