"""Words that name an option: `--label` in a shell, ``label`` in Python.

A message is written once, with both forms where they differ; whoever shows it takes the
one that its reader can type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# Control characters that `jevdb.base.text.visible` lets no name or cell bring along.
OPENS, PARTS, CLOSES = "\x0e", "\x1f", "\x0f"
BOTH = re.compile(f"{OPENS}([^{PARTS}]*){PARTS}([^{CLOSES}]*){CLOSES}")


def either(python: str, shell: str) -> str:
    """Return a piece of a message in both forms."""
    return f"{OPENS}{python}{PARTS}{shell}{CLOSES}"


def option(name: str, value: str | bool | None = None, *, shell: str = "") -> str:
    """Return a parameter in both forms, with the value to give it if there is one.

    *shell* is the option's name where it is not the parameter's.

    Examples
    --------
    >>> text = f"compare them with {option('cohort', 'shared')}"
    >>> for_shell(text)
    'compare them with --cohort shared'
    >>> for_python(text)
    "compare them with cohort='shared'"
    """
    given = f" {value}" if isinstance(value, str) else ""
    return either(
        name if value is None else f"{name}={value!r}",
        f"--{shell or name.replace('_', '-')}{given}",
    )


def how(name: str, value: str | bool) -> str:
    """Return how an option of reading is given: in a shell, and in Python.

    Examples
    --------
    >>> for_shell(how("answer_style", "letter"))
    '--answer-style letter'
    """
    return how_together({name: value})


def how_together(said: Mapping[str, str | bool]) -> str:
    """Return how several options are given at once.

    Examples
    --------
    >>> for_python(how_together({"answer_style": "letter", "partial": True}))
    "reading={'answer_style': 'letter', 'partial': True}"
    """
    words = []
    for name, value in said.items():
        given = "" if value is True else f" {_typed(str(value))}"
        words.append(f"--{name.replace('_', '-')}{given}")
    return either(f"reading={dict(said)!r}", " ".join(words))


def how_table(name: str, given: str, value: str) -> str:
    """Return how a word of the file is translated: ``--tier trivial=TIER``."""
    shell = f"--{name} {_typed(f'{given}={value}')}"
    return either(f"reading={{{name!r}: {{{given!r}: {value!r}}}}}", shell)


def _typed(value: str) -> str:
    """Return a value as a shell takes it."""
    return f"'{value}'" if set(value) & set("|;&<>()$*?\\ \t\n") or not value else value


def command(method: str, line: str) -> str:
    """Return a method of a warehouse, and the command that does the same."""
    return either(f"`Warehouse.{method}`", f"`jevdb {line}`")


def for_python(text: str) -> str:
    """Return a message as somebody who writes Python reads it."""
    return BOTH.sub(r"\1", text)


def for_shell(text: str) -> str:
    """Return a message as somebody at a command line reads it."""
    return BOTH.sub(r"\2", text)
