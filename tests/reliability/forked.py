"""A command in a process of its own that need not import anything.

It is forked from a process that has imported what commands need: what runs is `main`,
with its own streams, limits and memory.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import NamedTuple

from killing import CONTEXT

PATIENCE = 300


class Ended(NamedTuple):
    """How a process ended, and the most memory it had, in bytes."""

    exit_code: int
    stdout: str
    stderr: str
    memory: int


def run_forked(
    path: Path, *arguments: str, limit: Callable[[], None] | None = None
) -> Ended:
    """Run a command on a warehouse, under what *limit* sets in its process."""
    with tempfile.TemporaryDirectory(prefix="forked-") as streams:
        receiving, sending = CONTEXT.Pipe(duplex=False)
        given = (["--db", str(path), *arguments], streams, limit, sending)
        process = CONTEXT.Process(target=_be_command, args=given)
        process.start()
        sending.close()
        with receiving:
            memory = receiving.recv()
        process.join(PATIENCE)
        assert process.exitcode is not None
        out, err = (
            (Path(streams) / name).read_text(encoding="utf-8")
            for name in ("stdout", "stderr")
        )
        return Ended(process.exitcode, out, err, memory)


def _be_command(
    arguments: list[str],
    streams: str,
    limit: Callable[[], None] | None,
    sending: Pipe,
) -> None:
    from jevdb.cli import main

    for place, name in ((1, "stdout"), (2, "stderr")):
        stream = os.open(f"{streams}/{name}", os.O_WRONLY | os.O_CREAT)
        os.dup2(stream, place)
        os.close(stream)
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115
    sys.argv = ["jevdb", *arguments]
    if limit:
        limit()
    code: object = 70
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sending.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    os._exit(code if isinstance(code, int) else 1)
