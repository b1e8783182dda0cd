"""Which processes hold a lock on a file, where the system tells (Linux does)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
LOCK = re.compile(r"\d+: POSIX +ADVISORY +(READ|WRITE) +(\d+) \S+:(\d+) .*")
MOST_OF_A_COMMAND = 200
START_TICKS = 19
"""Place of the start time among the fields behind the name in ``/proc/PID/stat``."""


class Holder(NamedTuple):
    """A process with a lock; ``since`` is when it started, in UTC."""

    pid: int
    access: str
    command: str | None
    since: datetime | None


def holders(path: Path) -> list[Holder]:
    """Return who holds the file at *path*, writers first; empty where none is told."""
    try:
        inode = path.stat().st_ino
        locks = (PROC / "locks").read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    found = {
        (match[1].lower(), int(match[2]))
        for match in map(LOCK.fullmatch, locks.splitlines())
        if match and int(match[3]) == inode and _may_have_open(int(match[2]), path)
    }
    return [
        Holder(pid, access, _command(pid), _since(pid))
        for access, pid in sorted(found, reverse=True)
        if pid != os.getpid()
    ]


def _may_have_open(pid: int, path: Path) -> bool:
    """Whether the process has the file open: another disk may use the same inode."""
    folder = PROC / str(pid) / "fd"
    try:
        return os.path.realpath(path) in set(_targets(folder))
    except OSError:
        # Another user's process does not say.
        return True


def _targets(folder: Path) -> Iterator[str]:
    for link in folder.iterdir():
        with suppress(FileNotFoundError):
            yield os.readlink(link)


def _command(pid: int) -> str | None:
    with suppress(OSError):
        words = (PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
        text = b" ".join(words).decode("utf-8", "backslashreplace").strip()
        return text[:MOST_OF_A_COMMAND] or None
    return None


def _since(pid: int) -> datetime | None:
    """Return when the process started: ticks after the boot, which has a date."""
    with suppress(OSError, ValueError, IndexError):
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        boot = re.search(r"^btime (\d+)$", (PROC / "stat").read_text(), re.MULTILINE)
        if boot:
            seconds = int(fields[START_TICKS]) / os.sysconf("SC_CLK_TCK")
            started = datetime.fromtimestamp(int(boot[1]) + int(seconds), UTC)
            return started.replace(tzinfo=None)
    return None
