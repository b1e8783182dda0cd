"""A server of the tests ends with them, however they end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

STARTING = """\
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from servers import supervised
folder = Path(sys.argv[2])
supervised(folder, ["sh", "-c", "echo $$ > pid; exec sleep 600"], {})
sys.stdin.read()
"""


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def comes(happened: Callable[[], object]) -> bool:
    """Wait until something has happened, ten seconds at most."""
    for _ in range(200):
        if happened():
            return True
        time.sleep(0.05)
    return False


def test_nothing_is_left_of_a_server_whose_tests_were_killed(tmp_path: Path):
    folder = tmp_path / "server"
    folder.mkdir()
    number = folder / "pid"
    tests = subprocess.Popen(
        [sys.executable, "-c", STARTING, str(Path(__file__).parent), str(folder)],
        stdin=subprocess.PIPE,
    )
    assert comes(lambda: number.exists() and number.read_text().strip())
    pid = int(number.read_text())
    assert is_there(pid)
    tests.kill()
    tests.wait()
    tests.stdin.close()
    assert comes(lambda: not is_there(pid))
    assert comes(lambda: not folder.exists())
