"""Everything jevdb says no with.

JevdbError                 exit 1, printed as ``error: <message>``
├── InputError             exit 1, files that do not fit: every problem at once
├── SchemaError            exit 1, a file newer than this program, or damaged
├── CheckError             exit 1, a check found rows
├── UsageError             exit 2, options that do not go together
│   ├── UnknownNameError   exit 2, no such model, run ...; names the near ones
│   ├── ReadOnlyError      exit 2, storing through a warehouse opened for reading
│   └── ClosedError        exit 2, using a warehouse after it was closed
├── ConflictError          exit 4, the same name with other content
├── GateFailed             exit 5, a gate said no
├── BusyError              exit 6, another process holds the file
└── GateInconclusive       exit 7, a gate could not tell

Interrupted                exit 130, a KeyboardInterrupt: a person ended the call
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from jevdb.base.secrets import redacted
from jevdb.base.text import counted, cut, shortened
from jevdb.base.wording import for_python, for_shell, option

KINDS_SHOWN = 10
PLACES_SHOWN = 3
NEAR = 0.75
MOST_IN_FIELD = 200
MOST_IN_MESSAGE = 1000
MOST_IN_LINE = 3000
"""Characters of what a message repeats: a key of a file can have millions."""
PLACE_IN_LIST = re.compile(r"\[\d+\]")
KEY_AT_WILL = re.compile(
    r"(?<=^\$\.probabilities)[.\[].*|(?<=^\$\.gold_distribution)[.\[].*"
)
VALUE = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|(?<![\w-])-?\d[\w.,+-]*)""")

EXIT_CODES = {
    0: "done",
    1: "a fault in the data, the warehouse or the disk; nothing was stored",
    2: "usage: an option that does not fit, a name that nothing has",
    3: "done, but lines were refused and kept (`--keep-rejects`)",
    4: "conflict: the name is taken by other content",
    5: "a gate said no",
    6: "another process holds the file",
    7: "a gate could not tell: repeat it, or add items",
    130: "interrupted (Ctrl-C); the message says whether it was stored",
}
"""What every command ends with."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong in a file, where it stands and what to do about it."""

    source: str
    line: int | None
    field: str | None
    message: str
    text: str | None = None

    def __str__(self) -> str:
        """Return ``file:line: field: message``, leaving out what is not known."""
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        field = [shortened(self.field, MOST_IN_FIELD)] if self.field else []
        return ": ".join([place, *field, shortened(self.message, MOST_IN_MESSAGE)])


class FaultKind(NamedTuple):
    """What problems have in common: the field without places, the words without values.

    A key that an object may have at will stands for all such keys.
    """

    field: str | None
    words: str


def kind_of(problem: Problem) -> FaultKind:
    """Return the kind of a problem.

    Examples
    --------
    >>> kind_of(Problem("a", 3, "$.probabilities[2]", "expected a number, got 'x'"))
    FaultKind(field='$.probabilities.*', words='expected a number, got *')
    """
    field = problem.field
    if field is not None:
        field = KEY_AT_WILL.sub(".*", PLACE_IN_LIST.sub("[]", field))
    return FaultKind(field, VALUE.sub("*", problem.message))


class JevdbError(Exception):
    """A fault the user can act on; ``exit_code`` is what the command ends with.

    Its text names parameters as Python does, ``in_shell`` the options of a command.
    """

    exit_code = 1

    def __init__(self, message: str):
        lines = [shortened(line, MOST_IN_LINE) for line in message.split("\n")]
        told = redacted("\n".join(lines))
        super().__init__(for_python(told))
        self.in_shell = for_shell(told)


class InputError(JevdbError):
    """Input files do not fit; carries every problem, prints them by kind.

    *uncounted* are problems beyond those given, of which only the kind was kept;
    *is_of_records* says whether what a record says, or the form it has, cannot be
    taken: where there is a line or a field, unless told.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        total: int | None = None,
        uncounted: Mapping[FaultKind, int] | None = None,
        *,
        is_of_records: bool | None = None,
    ):
        self.raised = list(problems)
        """The problems with their words in both forms, to raise them again."""
        self.problems = [
            replace(each, message=for_python(each.message)) for each in problems
        ]
        self.total = len(self.problems) if total is None else total
        if is_of_records is None:
            is_of_records = any(_is_of_record(each) for each in problems)
        self.is_of_records = is_of_records
        super().__init__("\n".join(_grouped(problems, self.total, uncounted or {})))


def _is_of_record(problem: Problem) -> bool:
    return problem.line is not None or problem.field is not None


def _grouped(
    problems: Sequence[Problem], total: int, uncounted: Mapping[FaultKind, int]
) -> list[str]:
    """Return a line for each kind of fault, the most frequent first, and their sum."""
    kinds: dict[FaultKind, list[Problem]] = {}
    for problem in problems:
        kinds.setdefault(kind_of(problem), []).append(problem)
    counts = Counter({kind: len(some) for kind, some in kinds.items()})
    counts.update({kind: n for kind, n in uncounted.items() if kind in counts})
    shown = [kind for kind, _ in counts.most_common(KINDS_SHOWN)]
    lines = [_kind_line(kinds[kind], counts[kind]) for kind in shown]
    if len(kinds) > len(shown):
        n_left = total - sum(counts[kind] for kind in shown)
        more = counted(len(kinds) - len(shown), "kind")
        lines.append(f"... and {counted(n_left, 'fault')} of {more} more")
    if total > 1:
        n_files = len({each.source for each in problems})
        lines.append(
            f"{total:,} faults of {counted(len(kinds), 'kind')} in "
            f"{counted(n_files, 'file')}; nothing was stored"
        )
    return lines


def _kind_line(problems: Sequence[Problem], count: int) -> str:
    """Return a fault as it is, and of several the first with the places of three."""
    first = problems[0]
    if count == 1:
        return str(first)
    what, _, remedy = first.message.partition("; ")
    values = {_value(each) for each in problems}
    placed = [
        _place(each, None if place == 0 else problems[place - 1], len(values) > 1)
        for place, each in enumerate(problems[:PLACES_SHOWN])
    ]
    more = f" and {count - len(placed):,} more" if count > len(placed) else ""
    what = shortened(what, MOST_IN_MESSAGE)
    field = first.field and shortened(first.field, MOST_IN_FIELD)
    named = f"{field}: {what}" if field else what
    where = f"{count:,} times, at {', '.join(placed)}{more}"
    return f"{first.source}: {named} ({where}){'; ' if remedy else ''}{remedy}"


def _value(problem: Problem) -> str:
    found = VALUE.findall(for_shell(problem.message.partition("; ")[0]))
    return str(found[-1]) if found else ""


def _place(problem: Problem, before: Problem | None, has_value: bool) -> str:
    """Return where a problem stands; the file's name once, the value if they differ."""
    is_same_file = before is not None and before.source == problem.source
    line = "" if problem.line is None else f":{problem.line}"
    place = line if is_same_file and line else f"{problem.source}{line}"
    return f"{place} {cut(_value(problem))}" if has_value else place


class SchemaError(JevdbError):
    """The warehouse file does not fit this program."""


class CheckError(JevdbError):
    """A check of the warehouse returned rows."""


class UsageError(JevdbError):
    """Options that do not go together, or a value no option takes."""

    exit_code = 2


class UnknownNameError(UsageError):
    """No such thing; the message names the nearest known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]):
        super().__init__(f"unknown {kind} {name!r}; {near_names(name, known)}")


class ReadOnlyError(UsageError):
    """Something is to be stored through a warehouse that is open for reading."""


class ClosedError(UsageError):
    """A warehouse is used after it was closed."""


class ConflictError(JevdbError):
    """The name is taken by other content."""

    exit_code = 4


class GateFailed(JevdbError):
    """The candidate is worse than the gate allows."""

    exit_code = 5


class BusyError(JevdbError):
    """Another process holds the warehouse file."""

    exit_code = 6


class GateInconclusive(JevdbError):
    """What was found neither fails the candidate nor lets it pass."""

    exit_code = 7


class Interrupted(KeyboardInterrupt):
    """A person ended a call (Ctrl-C); every file that it had open is closed.

    ``was_stored`` says whether what was to be stored stands; None of a call that only
    read, and where it is not known.
    """

    exit_code = 130

    def __init__(self, was_stored: bool | None):
        self.was_stored = was_stored
        said = {
            None: "interrupted",
            False: "interrupted; nothing was stored",
            True: "interrupted, but only after it was stored",
        }
        super().__init__(said[was_stored])


def require_word(parameter: str, value: object, known: Sequence[str]) -> None:
    """Refuse a value that is none of the words a parameter takes, and name the near.

    Raises
    ------
    UsageError
        It is another one.
    """
    if value not in known:
        listed = ", ".join(repr(each) for each in known)
        near = difflib.get_close_matches(str(value), known, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"{option(parameter)} {value!r} is none of {listed}{hint}")


def near_names(name: str, known: Iterable[str]) -> str:
    """Say which known names are near *name*, or list what there is."""
    names = sorted(set(known))
    if not names:
        return "there are none yet"
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return "did you mean " + " or ".join(repr(n) for n in near) + "?"
    shown = ", ".join(repr(n) for n in names[:10])
    return f"known: {shown}" + (", ..." if len(names) > 10 else "")  # noqa: PLR2004
