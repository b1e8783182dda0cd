"""A change, and the tests that can see it, in a copy of the checkout."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from mutation.mutants import Mutant

COPIED = ("jevdb", "sql", "seeds", "migrations", "tests", "docs", "benchmarks")
FILES = ("pyproject.toml", "README.md", "CHANGELOG.md", "Makefile")
POLL_S = 0.05
MOST_SHOWN = 3000
PRELOADED = (
    *("alembic.command", "duckdb", "duckdb_sqlalchemy", "hypothesis", "msgspec"),
    *("numpy", "pyarrow.parquet", "pytest", "sqlalchemy", "typer.testing"),
)
"""What every test imports and no change is in: forked processes have it already."""


class Workspace:
    """A copy of the checkout for one worker: a file is changed, and put back."""

    def __init__(self, root: Path, folder: Path):
        self._folder = folder
        self._child: int | None = None
        # Bytecode is known by its second: each state of a file has one of its own.
        self._clock = int(time.time())
        ignored = shutil.ignore_patterns("__pycache__")
        for name in COPIED:
            shutil.copytree(root / name, folder / name, ignore=ignored)
        for name in FILES:
            shutil.copyfile(root / name, folder / name)

    def survives(self, mutant: Mutant, tests: Sequence[str], seconds: float) -> bool:
        """Whether no test notices the change; what takes too long was noticed."""
        path = self._folder / mutant.path
        source = path.read_text(encoding="utf-8")
        self._write(path, mutant.of(source))
        try:
            return self.passes(tests, seconds)
        finally:
            self._write(path, source)

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        self._clock += 2
        os.utime(path, (self._clock, self._clock))

    def passes(self, tests: Sequence[str], seconds: float) -> bool:
        """Whether tests pass, in a process of their own, within some seconds."""
        self._child = child = os.fork()
        if child == 0:
            os._exit(self._tested(tests))
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                _end_group(child)
                return os.waitstatus_to_exitcode(status) == 0
            time.sleep(POLL_S)
        _end_group(child)
        os.waitpid(child, 0)
        return False

    def end(self) -> None:
        """End what still runs."""
        if self._child is not None:
            _end_group(self._child)

    def log(self) -> str:
        """Return the end of what the last tests said."""
        text = (self._folder / "log.txt").read_text(encoding="utf-8", errors="replace")
        return text[-MOST_SHOWN:]

    def _tested(self, tests: Sequence[str]) -> int:
        """Run the tests here, in a group of processes that can be ended at once."""
        import pytest

        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        log = os.open(self._folder / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(log, stream)
        os.chdir(self._folder)
        os.environ["PYTHONPATH"] = str(self._folder)
        sys.path[:] = [str(self._folder), *(p for p in sys.path if not _is_ours(p))]
        temporary = f"--basetemp={self._folder / 'temporary'}"
        plain = ("-q", "-x", "--assert=plain", "-p", "no:cacheprovider")
        try:
            return int(pytest.main([*plain, temporary, *tests]))
        except BaseException:
            traceback.print_exc()
            return 1
        finally:
            sys.stdout.flush()


def _is_ours(place: str) -> bool:
    """Whether `jevdb` would be imported from there."""
    return (Path(place or ".") / "jevdb" / "cli.py").exists()


def _end_group(leader: int) -> None:
    """End what the tests started and left."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
