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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from jevdb.base.secrets import redacted
from jevdb.base.text import shortened
from jevdb.base.wording import for_python, for_shell

PROBLEMS_SHOWN = 20
MOST_IN_FIELD = 200
MOST_IN_MESSAGE = 1000
MOST_IN_LINE = 3000
"""Characters of what a message repeats: a key of a file can have millions."""

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
    """Input files do not fit; carries every problem, prints the first twenty."""

    def __init__(self, problems: Sequence[Problem], total: int | None = None):
        self.raised = list(problems)
        """The problems with their words in both forms, to raise them again."""
        self.problems = [
            replace(each, message=for_python(each.message)) for each in problems
        ]
        self.total = len(self.problems) if total is None else total
        lines = [str(problem) for problem in problems[:PROBLEMS_SHOWN]]
        if self.total > len(lines):
            lines.append(f"... and {self.total - len(lines)} more problems")
        if self.total > 1:
            lines.append(f"{self.total} problems; nothing was stored")
        super().__init__("\n".join(lines))


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
