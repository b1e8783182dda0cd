"""Clean environments for tests of what is installed; uv makes one in some seconds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from uv import find_uv_bin

CHECKOUT = Path(__file__).resolve().parents[1]
TOOLS = Path(find_uv_bin()).parent
"""Where uv, uvx and pipx are."""
BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)


def run(
    *command: str | Path, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command without what this process has set for its own Python."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        capture_output=True,
        cwd=cwd,
        env={**kept, "UV_PYTHON_DOWNLOADS": "never", **environment},
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def environment(
    folder: Path, *wanted: str | Path, python: str | Path = BASE_PYTHON
) -> Path:
    """Make an environment, install into it, and return the folder of its commands."""
    run(TOOLS / "uv", "venv", "--quiet", "--python", python, folder, cwd=folder.parent)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    run(
        *(TOOLS / "uv", "pip", "install", "--quiet"),
        *("--python", binaries / "python", *wanted),
        cwd=folder.parent,
    )
    return binaries


def find_python(version: str) -> str | None:
    """Return a Python of that version on this machine."""
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    found = [shutil.which(f"python{version}"), *pyenv.glob(f"{version}.*/bin/python")]
    for each in filter(None, found):
        asked = subprocess.run([each, "--version"], capture_output=True, check=False)
        if asked.returncode == 0:
            return str(each)
    return None
