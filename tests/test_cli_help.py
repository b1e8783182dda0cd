"""Every command explains itself, with examples, and quickly."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from commandline import commands, jevdb

COMMANDS = [path for path, command in commands() if command.callback]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_a_sentence_and_examples(tmp_path: Path, command: tuple[str, ...]):
    result = jevdb(tmp_path / "none.duckdb", *command, "--help")
    assert result.exit_code == 0
    words = " ".join(result.stdout.split())
    assert "Examples jevdb " in words
    assert f"jevdb {' '.join(command)}" in words.partition("Examples ")[2]


def test_by_is_what_items_are_grouped_by():
    """A number that is asked for is a METRIC, or called so; hidden words are former."""
    dimensions = {"type", "tier", "family", "domain", "repeat"}
    seen = {}
    for path, command in commands():
        for option in command.params:
            if "--by" in option.opts and not option.hidden:
                seen[" ".join(path)] = command.callback, option.metavar
    assert set(seen) == {
        *("compare", "explain", "plot profile", "plot won-lost", "report", "score"),
    }
    for name, (function, metavar) in seen.items():
        if metavar == "DIMENSION":
            continue
        said = get_type_hints(inspect.unwrap(function))["by"]
        kinds = [
            *get_args(said),
            *(each for a in get_args(said) for each in get_args(a)),
        ]
        [kind] = [
            e for e in (said, *kinds) if isinstance(e, type) and issubclass(e, Enum)
        ]
        assert {each.value for each in kind} <= dimensions, name


def test_help_imports_nothing_heavy():
    """SQLAlchemy, Alembic, pyarrow and numpy take longer than the help may."""
    heavy = ("duckdb", "sqlalchemy", "alembic", "pyarrow", "numpy", "msgspec")
    code = (
        "import sys; from typer.testing import CliRunner; from jevdb.cli import app; "
        "CliRunner().invoke(app, ['--help']); "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    assert found.stdout == "[]\n"


def test_reading_imports_neither_sqlalchemy_nor_alembic(warehouse_path: Path):
    code = (
        "import sys; from typer.testing import CliRunner; from jevdb.cli import app; "
        "runner = CliRunner(); "
        "codes = [runner.invoke(app, ['--db', sys.argv[1], *words]).exit_code "
        "for words in (['report'], ['export', '--out', '-'], ['sql', 'from runs'])]; "
        "print(codes, [n for n in ('sqlalchemy', 'alembic') if n in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, str(warehouse_path)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    assert found.stdout == "[0, 0, 0] []\n"
