"""Servers of the tests' own on loopback: PostgreSQL, and a proxy that loses answers."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

HOST = "127.0.0.1"
ROLE = "keeper"
SUPERVISE = Path(__file__).with_name("supervise.py")


def free_port() -> int:
    """Return a port that nobody listens on."""
    with closing(socket.socket()) as server:
        server.bind((HOST, 0))
        return int(server.getsockname()[1])


def unprivileged() -> dict[str, object]:
    """Return how to start PostgreSQL, which refuses to run as root."""
    if os.geteuid():
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            user = pwd.getpwnam(name)
            return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise AssertionError("no user to run PostgreSQL as")


def supervised(
    folder: Path, command: list[str], user: dict[str, object]
) -> subprocess.Popen[bytes]:
    """Start a server that ends with this process, and its folder with it.

    It has a session of its own: what is meant for our group does not reach it.
    """
    return subprocess.Popen(
        [sys.executable, SUPERVISE, folder, str(user.get("user", "")), *command],
        stdin=subprocess.PIPE,
        cwd=folder,
        start_new_session=True,
    )


class Postgres:
    """A server as Debian ships it, but for the settings, on a free port of loopback."""

    def __init__(self, program: Path, *settings: str, auth: str = "trust"):
        self.programs = program.parent
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="jevdb-postgres-"))
        self._user = unprivileged()
        if self._user:
            os.chown(self.folder, int(str(self._user["user"])), -1)
        (data := self.folder / "data").mkdir()
        shutil.chown(data, self._user.get("user"), self._user.get("group"))
        self._run("initdb", "-D", data, "-U", ROLE, f"--auth={auth}", "--no-sync")
        options = [part for setting in settings for part in ("-c", setting)]
        self._supervisor = supervised(
            self.folder,
            [
                *(str(program), "-D", str(data), "-p", str(self.port)),
                *("-c", f"listen_addresses={HOST}"),
                *("-c", "unix_socket_directories=", *options),
            ],
            self._user,
        )
        self._wait()

    def _run(self, program: str, *arguments: object) -> None:
        subprocess.run(
            [str(self.programs / program), *map(str, arguments)],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._user,
        )

    def _wait(self) -> None:
        for _ in range(400):
            with suppress(subprocess.CalledProcessError):
                self.psql("select 1")
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def psql(self, sql: str, database: str = "postgres") -> str:
        """Run SQL as the keeper of the server and return what it prints."""
        done = subprocess.run(
            [
                *(str(self.programs / "psql"), "-X", "-A", "-t", "-q"),
                *("-h", HOST, "-p", str(self.port), "-U", ROLE),
                *("-v", "ON_ERROR_STOP=1", "-d", database, "-c", sql),
            ],
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def stop(self) -> None:
        """Stop the server at once and leave nothing of it."""
        self._supervisor.stdin.close()
        self._supervisor.wait(300)


class LosingProxy:
    """Forwards to PostgreSQL until a COMMIT that follows *armed*: then cuts the line.

    The COMMIT itself arrives where *delivers*; its answer does not.
    """

    def __init__(self, port: int, delivers: bool):
        self._to = port
        self._delivers = delivers
        self.armed = False
        self.lost = 0
        self._server = socket.create_server((HOST, 0))
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                server = socket.create_connection((HOST, self._to))
                for pipe in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self._pipe, args=pipe, daemon=True).start()

    def _pipe(self, source: socket.socket, sink: socket.socket, asks: bool) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if asks and self.armed and b"COMMIT\0" in data.upper():
                    self.armed = False
                    self.lost += 1
                    if self._delivers:
                        sink.sendall(data)
                        time.sleep(0.3)  # for the server to commit
                    break
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
