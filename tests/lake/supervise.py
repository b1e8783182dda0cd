"""Run a server until whoever started this ends, killed or not, and leave nothing of it.

Called with a folder, a user's number (or nothing) and the server's command; it goes on
for as long as its standard input is open.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path


def main(folder: Path, user: str, command: list[str]) -> None:
    given = {"user": int(user), "extra_groups": []} if user else {}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **given
        )
    # An end of the other process, SIGKILL too, closes its end of the pipe.
    sys.stdin.buffer.read()
    server.send_signal(signal.SIGQUIT)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
