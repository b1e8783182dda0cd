"""Serving a site: to this machine only, for reading only, only what the site lists.

The standard library's server, with the bounds that it lacks: on threads, on the time a
client may take, and on what a name in the folder may lead to.
"""

from __future__ import annotations

import http
import os
import posixpath
import stat
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader
from pathlib import Path
from socket import SocketIO, socket
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from jevdb.base.errors import JevdbError
from jevdb.site.addresses import EXPLORE, INDEX
from jevdb.site.building import site_files
from jevdb.site.rendering import CONTENT_POLICY, EXPLORE_POLICY

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LOOPBACK = "127.0.0.1"
MOST_THREADS = 64
"""Clients that are served at once; others wait their turn."""
WAITING = 512
"""Clients that may wait to be served before the system refuses more."""
PATIENCE = 10.0
"""Seconds a client may take over a request, over its answer, or between two."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".sql": "text/plain; charset=utf-8",
    ".gz": "application/gzip",
    ".svg": "image/svg+xml",
}


class SiteServer(ThreadingHTTPServer):
    """A server of the files of one site."""

    daemon_threads = True
    request_queue_size = WAITING

    def __init__(self, folder: Path, port: int):
        self._room = BoundedSemaphore(MOST_THREADS)
        self.folder = folder
        self.files = frozenset(site_files(folder))
        try:
            super().__init__((LOOPBACK, port), Reader)
        except OSError as error:
            raise JevdbError(
                f"cannot listen on {LOOPBACK}:{port}: {error.strerror}; --port 0 takes "
                "a free one"
            ) from error

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a client in a thread of its own, once there is room for one more."""
        self._room.acquire()
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._room.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a client, and make room for the next."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Where a browser finds the site."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    @property
    def names(self) -> set[str]:
        """What a browser on this machine calls the server."""
        port = self.server_port
        return {f"{LOOPBACK}:{port}", f"localhost:{port}"}


class _Patient(SocketIO):
    """What a client sends, waited for until a deadline however slowly it comes."""

    def __init__(self, client: socket):
        super().__init__(client, "r")
        self._client = client
        self.deadline = time.monotonic() + PATIENCE

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        """Read what is there; raises TimeoutError at the deadline."""
        # Zero would mean not to wait at all, and another error.
        self._client.settimeout(max(self.deadline - time.monotonic(), 0.001))
        return super().readinto(buffer)


class Reader(BaseHTTPRequestHandler):
    """Answers GET and HEAD; any other method is refused."""

    server: SiteServer
    server_version = "jevdb"
    sys_version = ""
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        """Read from the client with patience that ends."""
        super().setup()
        self._patient = _Patient(self.connection)
        self.rfile = BufferedReader(self._patient)

    def handle_one_request(self) -> None:
        """Take one request, and as long as that may take."""
        self._patient.deadline = time.monotonic() + PATIENCE
        super().handle_one_request()

    def do_GET(self) -> None:
        """Send a file of the site."""
        self._answer(has_body=True)

    def do_HEAD(self) -> None:
        """Send what a GET would, without the file."""
        self._answer(has_body=False)

    def _answer(self, *, has_body: bool) -> None:
        # Another name for this machine is how a foreign page would read along.
        if self.headers.get("Host") not in self.server.names:
            self.send_error(http.HTTPStatus.MISDIRECTED_REQUEST)
            return
        path = self._path()
        if path not in self.server.files:
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return
        try:
            data = _read(self.server.folder, path)
        except OSError:
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return
        self.connection.settimeout(PATIENCE)
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", _type_of(path))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if has_body:
            self.wfile.write(data)

    def _path(self) -> str:
        path = unquote(urlsplit(self.path).path)
        if path.endswith("/"):
            path += INDEX
        return posixpath.normpath(path).lstrip("/")

    def end_headers(self) -> None:
        """Send the headers that every answer has."""
        is_explore = self._path() == EXPLORE
        policy = EXPLORE_POLICY if is_explore else CONTENT_POLICY
        self.send_header("Content-Security-Policy", f"{policy}; frame-ancestors 'none'")
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the person."""


def _read(folder: Path, path: str) -> bytes:
    """Return a file of the folder; no link on the way to it is followed.

    Raises
    ------
    OSError
        It is not there, or no plain file.
    """
    *folders, name = path.split("/")
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for each in folders:
            inner = os.open(
                each, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=place
            )
            os.close(place)
            place = inner
        # Opening a pipe would wait for somebody who writes into it.
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
    finally:
        os.close(place)
    with open(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise FileNotFoundError(path)
        return opened.read()


def _type_of(path: str) -> str:
    return TYPES.get(Path(path).suffix, "text/plain; charset=utf-8")
