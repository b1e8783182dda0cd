"""TOML files that a user hands in: read, or refused with every problem named."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from jevdb.base.errors import InputError, JevdbError, Problem

Toml = dict[str, Any]
Faults = Iterable[tuple[str | None, str]]


def read_toml(path: Path, faults: Callable[[Toml], Faults]) -> Toml:
    """Return what a TOML file says.

    Raises
    ------
    JevdbError
        The file cannot be read.
    InputError
        It is no TOML, or *faults* finds some: pairs of a field and what is wrong.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise JevdbError(f"{path}: cannot read: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            [Problem(path.name, None, None, f"no TOML: {error}")]
        ) from error
    problems = [
        Problem(path.name, None, field, message) for field, message in faults(given)
    ]
    if problems:
        raise InputError(problems, is_of_records=False)
    return given
