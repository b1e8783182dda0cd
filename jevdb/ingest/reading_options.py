"""How the values of files are to be read: what a user says, and what stays unsaid.

An option is None (or empty) where nothing was said. What is said explicitly also says
that the bytes are meant as they are: ``labels="exact"`` keeps a guard from asking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import cast

from jevdb.base.encodings import known_encoding
from jevdb.base.errors import UsageError, near_names, require_word
from jevdb.base.wording import option
from jevdb.warehouse.schema_words import TIERS

CHOICES = {
    "labels": ("exact", "fold"),
    "answer_style": ("label", "letter", "index0", "index1"),
    "levels": ("from=0", "from=1", "names"),
    "noul_order": ("no,yes", "yes,no"),
    "scale": ("fraction", "percent", "logprob", "log2", "logit"),
    "sum": ("exact", "rescale"),
    "ids": ("text", "integer"),
    "delimiter": (",", ";", "tab", "|"),
    "decimal": ("point", "comma"),
}
"""Options with a closed list of values."""
TABLES = ("alias", "tier", "default")
ALLOWED = ("invalid", "verdict", "target", "all-wrong", "incomplete")
"""The words of the guards that a user may overrule."""
AS_IT_IS = {
    "labels": "exact",
    "answer_style": "label",
    "scale": "fraction",
    "sum": "exact",
    "ids": "text",
    "decimal": "point",
}
"""What leaves the values of a file as they stand."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What a user says of the values of files; None where nothing was said.

    ``alias``, ``tier`` and ``default`` translate; ``meta`` names keys that are kept
    (``*``: all); ``allow`` names guards that are overruled.
    """

    labels: str | None = None
    alias: Mapping[str, str] = field(default_factory=dict)
    answer_style: str | None = None
    levels: str | None = None
    noul_order: str | None = None
    scale: str | None = None
    sum: str | None = None
    partial: bool = False
    split: str | None = None
    ids: str | None = None
    tier: Mapping[str, str] = field(default_factory=dict)
    default: Mapping[str, str] = field(default_factory=dict)
    meta: tuple[str, ...] = ()
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    allow: frozenset[str] = frozenset()

    @property
    def converts(self) -> bool:
        """Whether values of answers or ids are asked to be read otherwise."""
        return bool(
            self.alias
            or self.levels
            or self.noul_order
            or self.partial
            or self.split is not None
            or self.changes("labels")
            or self.changes("scale")
            or self.changes("sum")
            or self.changes("ids")
            or self.answer_style
        )

    def changes(self, name: str) -> bool:
        """Whether the option *name* has a value that changes what stands in a file."""
        value = getattr(self, name)
        return bool(value) and value != AS_IT_IS.get(name)

    def settings(self) -> dict[str, object]:
        """Return what was said, as a run keeps it: ``read.scale`` and so on."""
        kept: dict[str, object] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Mapping):
                value = dict(value)
            elif isinstance(value, tuple | frozenset):
                value = sorted(value)
            if value not in (None, False, {}, []):
                kept[f"read.{each.name}"] = value
        return kept


def reading_options(given: Mapping[str, object]) -> ReadingOptions:
    """Return the options that a mapping of their names says; None says nothing.

    Names may have a hyphen for the underscore, as the command line writes them. Tables
    may be lists of ``GIVEN=VALUE``.

    Raises
    ------
    UsageError
        A name, or a value, that no option has.
    """
    said: dict[str, object] = {}
    known = [each.name for each in fields(ReadingOptions)]
    for key, value in given.items():
        name = key.replace("-", "_")
        if name not in known:
            raise UsageError(
                f"unknown option of reading {key!r}; {near_names(name, known)}"
            )
        if value is None:
            continue
        said[name] = _read(name, value)
    return ReadingOptions(**said)  # type: ignore[arg-type]


def _read(name: str, value: object) -> object:
    if name in TABLES:
        return _table(name, value)
    if name == "meta":
        return tuple(dict.fromkeys(_list(name, value)))
    if name == "allow":
        words = _list(name, value)
        for word in words:
            _in_list(name, word, ALLOWED)
        return frozenset(words)
    if name == "partial":
        if not isinstance(value, bool):
            raise UsageError(f"{option(name)} is true or false, not {value!r}")
        return value
    if not isinstance(value, str) or not value:
        raise UsageError(f"{option(name)} is a text, not {value!r}")
    if name in CHOICES:
        value = {"\t": "tab"}.get(value, value)
        _in_list(name, value, CHOICES[name])
    if name == "encoding":
        known_encoding(value)
    return value


def _in_list(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        listed = ", ".join(known)
        raise UsageError(f"{option(name)} {value!r} is none of {listed}")


def _table(name: str, value: object) -> dict[str, str]:
    if isinstance(value, Mapping):
        pairs = [(key, each) for key, each in value.items()]
    else:
        pairs = [_pair(name, each) for each in _list(name, value)]
    table: dict[str, str] = {}
    for key, each in pairs:
        if not isinstance(key, str) or not isinstance(each, str):
            raise UsageError(f"{option(name)} {key!r}: expected texts, got {each!r}")
        if name == "tier":
            require_word(f"{name} {key}", each, TIERS)
        if table.setdefault(key, each) != each:
            raise UsageError(
                f"{option(name)} {key}: both {table[key]!r} and {each!r} are given"
            )
    return table


def _pair(name: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UsageError(f"{option(name)} {text!r} is not of the form GIVEN=VALUE")
    return key, value


def _list(name: str, value: object) -> list[str]:
    listed = [value] if isinstance(value, str) else value
    if isinstance(listed, Iterable):
        texts = list(listed)
        if all(isinstance(each, str) and each for each in texts):
            return cast("list[str]", texts)
    raise UsageError(f"{option(name)} is a text or several, not {value!r}")


def together(first: ReadingOptions, second: ReadingOptions) -> ReadingOptions:
    """Return what both say.

    Raises
    ------
    UsageError
        They say different things of one option.
    """
    said: dict[str, object] = {}
    for each in fields(ReadingOptions):
        one, other = getattr(first, each.name), getattr(second, each.name)
        said[each.name] = _both(each.name, one, other)
    return replace(first, **said)  # type: ignore[arg-type]


def _both(name: str, one: object, other: object) -> object:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in one.keys() & other.keys():
            if one[key] != other[key]:
                raise _different(f"{name} {key}", one[key], other[key])
        return {**one, **other}
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return one | other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(dict.fromkeys((*one, *other)))
    if one and other and one != other:
        raise _different(name, one, other)
    return one or other


def _different(name: str, one: object, other: object) -> UsageError:
    shown = name.replace("_", "-")
    return UsageError(
        f"{shown} is {one!r} by the option and {other!r} by the mapping; say it once"
    )
