"""Run whole processes and take the operating system's account of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
JEVDB = (sys.executable, "-c", "from jevdb.cli import main; main()")


class Cost(NamedTuple):
    """Wall seconds and peak memory (MB) of a process; the best of several runs."""

    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:7.2f} s {self.megabytes:7.0f} MB"


def cost(command: Sequence[str | Path], repeats: int = 3) -> Cost:
    """Run a command *repeats* times; keep the least time and the least peak."""
    return Cost(*map(min, zip(*(_once(command) for _ in range(repeats)), strict=True)))


def _once(command: Sequence[str | Path]) -> tuple[float, float]:
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {command}")
    return seconds, usage.ru_maxrss / 1024


def compare(title: str, ours: Cost, others: dict[str, Cost]) -> None:
    """Print our cost, each alternative's, and the ratios ours / theirs."""
    print(f"\n{title}")
    print(f"  {'jevdb':<44}{ours}")
    for name, theirs in others.items():
        ratio = ours.seconds / theirs.seconds
        print(f"  {name:<44}{theirs}   jevdb takes {ratio:.3g} times as long")
