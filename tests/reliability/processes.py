"""Commands as real processes: started, killed, starved of disk, and looked at after."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from commandline import COMMAND


def start(path: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start a command on the warehouse at *path*."""
    return subprocess.Popen(
        [*COMMAND, "--db", str(path), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def run(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command on the warehouse at *path*, and hold it to a clean end."""
    process = start(path, *arguments)
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err, err
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
