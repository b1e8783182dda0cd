"""A jevdb that is there at once: pages call it a hundred times.

A process that has imported everything forks for each call; the `jevdb` of a page hands
it arguments, folder, environment and its three streams. What runs is `main`, as always.
"""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import traceback
from pathlib import Path

SIZE = 1 << 20
CLIENT = """\
#!{python} -IS
import json, os, socket, sys
call = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [len(call).to_bytes(4, "big")], [0, 1, 2])
server.sendall(call)
answer = server.recv(1)
sys.exit(answer[0] if answer else 70)
"""


def start(folder: Path) -> subprocess.Popen[str]:
    """Put a `jevdb` into *folder* and start the process that it calls."""
    address = folder / "socket"
    process = subprocess.Popen(
        [sys.executable, __file__, str(address)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stdout.readline() == "ready\n"
    client = folder / "jevdb"
    client.write_text(CLIENT.format(python=sys.executable, address=str(address)))
    client.chmod(0o755)
    return process


def serve(address: str) -> None:
    """Answer calls until told to end."""
    import pyarrow as pa  # noqa: F401
    import typer.main

    import jevdb.cli
    from jevdb.warehouse.settings import SETTINGS

    for module in pkgutil.walk_packages(jevdb.__path__, "jevdb."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    typer.main.get_command = functools.cache(typer.main.get_command)
    typer.main.get_command(jevdb.cli.app)
    gc.collect()
    gc.freeze()
    SETTINGS["threads"] = 1  # as in the tests' own process
    # Nobody waits for the children: their answer goes to the one who called.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            caller, _ = listening.accept()
            with caller:
                if os.fork() == 0:
                    listening.close()
                    run(caller)


def run(caller: socket.socket) -> None:
    """Be the command that was called for, and end."""
    from jevdb.cli import main

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(caller, 4, 3)
    call = b""
    while len(call) < int.from_bytes(size, "big"):
        call += caller.recv(SIZE)
    arguments, folder, environment = json.loads(call)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
    sys.stderr = open(2, "w")  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["jevdb", *arguments]
    code: object = 70
    try:
        main()
        code = 0
    except SystemExit as error:
        code = error.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        caller.sendall(bytes([code if isinstance(code, int) else 1]))
        os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
