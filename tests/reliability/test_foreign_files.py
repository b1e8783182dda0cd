"""Warehouse files of strangers: whatever they hold, nothing of it is run.

Every file of the corpus would write a mark, read a secret or never end, if a statement
of it were executed or a view of it read. Every command is run on every file.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest
from commandline import fill, jevdb, rows_of

import jevdb as api
from jevdb.base.errors import JevdbError, SchemaError
from jevdb.warehouse.database import open_reader, open_writer
from jevdb.warehouse.known import is_known, state_of
from jevdb.warehouse.sqlfiles import program_sha256, program_view

SECRET = "the-secret-of-this-machine"
SLOW_SECONDS = 30

COMMANDS: dict[str, tuple[str, ...]] = {
    "report": ("report",),
    "runs": ("runs",),
    "items": ("items", "list"),
    "check": ("check",),
    "doctor": ("doctor",),
    "sql": ("sql", "select count(*) from report"),
    "scopes": ("scopes",),
    "history": ("history", "first"),
    "explain": ("explain", "first", "I"),
    "compare": ("compare", "first", "third"),
    "leaderboard": ("leaderboard", "--benchmark", "small"),
    "site": ("site", "build", "SITE"),
    "backup": ("backup", "BUNDLE"),
    "compact": ("compact",),
    "init": ("init",),
    "withdraw": ("runs", "withdraw", "first"),
}
