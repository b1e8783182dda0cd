"""How values are to be read: what a refusal names is tried, until nothing is refused.

The guards know what rows may mean. So nothing is decided here that an ingest would not
say itself: an option that it names is taken if it is the only one under which the file
is read; where several are, which is meant cannot be known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jevdb.base.errors import InputError, JevdbError, UsageError
from jevdb.ingest.reading_options import AS_IT_IS, reading_options

MOST_STEPS = 8
OPTION = re.compile(
    r"--(?P<flag>partial)\b|--(?P<name>labels|answer-style|levels|noul-order|scale|sum"
    r"|split|decimal|ids|alias|default|tier|encoding|delimiter)"
    r" (?P<value>'[^']*'|no,yes|yes,no|,(?=[\s;]|$)|[^\s,;)]+)"
)
KEPT = frozenset({*AS_IT_IS.items(), ("answer_style", "label"), ("levels", "names")})
"""Options that store the values as they are: a way out, and no way to read them."""
TABLES = ("alias", "default", "tier")
MEANINGS = ("alias", "tier")
"""What a word stands for: a person says it, though the file is read either way."""
PLACEHOLDERS = ("GIVEN", "LABEL", "TIER", "NAME", "...", "SEP")

Reading = dict[str, object]
Trial = Callable[[Reading], object]


class Named(NamedTuple):
    """An option of reading that a refusal names, as a mapping has it."""

    name: str
    value: object

    def added(self, reading: Reading) -> Reading:
        """Return the options with this one among them."""
        if self.name in TABLES:
            key, _, value = str(self.value).partition("=")
            table = reading.get(self.name)
            known = dict(table) if isinstance(table, Mapping) else {}
            return {**reading, self.name: {**known, key: value}}
        return {**reading, self.name: self.value}


class Decision(NamedTuple):
    """An option that was taken, and what speaks for it."""

    option: Named
    evidence: str


@dataclass(slots=True)
class Guess:
    """How values are read as far as it is known, and what is open."""

    reading: Reading = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    open: list[Named] = field(default_factory=list)
    refusal: JevdbError | None = None
    result: object = None


def guess(trial: Trial, reading: Reading) -> Guess:
    """Return the options under which *trial* refuses nothing, as far as they show."""
    found = Guess(dict(reading))
    for _ in range(MOST_STEPS):
        try:
            found.result = trial(found.reading)
        except JevdbError as error:
            found.refusal = error
        else:
            found.refusal = None
            return found
        if not _step(trial, found):
            return found
    return found


def _step(trial: Trial, found: Guess) -> bool:
    """Take one more option that the refusal names; say whether there was one."""
    assert found.refusal is not None
    said = _first_line(found.refusal)
    named = [each for each in options_in(said) if _is_new(each, found.reading)]
    if not named:
        return False
    if any(each.name in MEANINGS for each in named):
        found.open = named
        return False
    open_ = [each for each in named if _reads_more(trial, found, each)]
    if len(open_) == 1:
        found.reading = open_[0].added(found.reading)
        found.decisions.append(Decision(open_[0], said))
        return True
    together = _together(named, found.reading)
    if not open_ and together is not None and _passes(trial, together, found):
        found.reading = together
        found.decisions += [Decision(each, said) for each in named]
        return True
    found.open = open_ or named
    return False


def _first_line(error: JevdbError) -> str:
    return error.in_shell.splitlines()[0]


def options_in(message: str) -> list[Named]:
    """Return the options of reading that a message names, each once.

    Examples
    --------
    >>> options_in("--scale percent reads them, --scale fraction keeps them")
    [Named(name='scale', value='percent')]
    """
    return list(dict.fromkeys(_options_in(message)))


def _options_in(message: str) -> Iterator[Named]:
    for found in OPTION.finditer(message):
        if found["flag"]:
            yield Named(found["flag"], True)
            continue
        name, value = found["name"].replace("-", "_"), found["value"].strip("'")
        named = Named(name, value)
        is_placeholder = any(word in value for word in PLACEHOLDERS)
        if named not in KEPT and not is_placeholder and _is_option(named):
            yield named


def _is_option(named: Named) -> bool:
    try:
        reading_options(named.added({}))
    except UsageError:
        return False
    return True


def _is_new(named: Named, reading: Reading) -> bool:
    return named.name in TABLES or named.name not in reading


def _reads_more(trial: Trial, found: Guess, named: Named) -> bool:
    """Whether with an option nothing is refused, or no longer what was."""
    return _passes(trial, named.added(found.reading), found)


def _passes(trial: Trial, reading: Reading, found: Guess) -> bool:
    assert found.refusal is not None
    try:
        trial(reading)
    except InputError as error:
        return _kind(error) != _kind(found.refusal) and error.total <= _total(found)
    except JevdbError:
        return False
    return True


def _total(found: Guess) -> int:
    return found.refusal.total if isinstance(found.refusal, InputError) else 1


def _kind(error: JevdbError) -> str:
    return re.sub(r"\d+|\"[^\"]*\"", "*", _first_line(error))


def _together(named: Sequence[Named], reading: Reading) -> Reading | None:
    """Return all the options at once, where they are different ones."""
    names = [each.name for each in named if each.name not in TABLES]
    if len(named) == 1 or len(set(names)) < len(names):
        return None
    for each in named:
        reading = each.added(reading)
    return reading
