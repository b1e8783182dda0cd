"""What several workers of a test run need, made by the first of them."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jevdb.warehouse.known import remember


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """Return this worker's own copy of the folder that *make* fills, once in a run.

    The other workers wait for the first. Where *make* fails, the next one tries anew.
    """
    base = factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    whole, begun = run / f"{name}.whole", run / f"{name}.begun"
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            make(begun)
            begun.rename(whole)
    own = factory.mktemp(name)
    shutil.copytree(whole, own, dirs_exist_ok=True)
    return own


def copied(source: Path, path: Path) -> Path:
    """Copy a warehouse that jevdb made; whoever opens it does not look it through."""
    shutil.copyfile(source, path)
    remember(path)
    return path
