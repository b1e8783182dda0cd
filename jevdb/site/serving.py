"""Serving a site: to this machine only, for reading only, only what the site lists."""

from __future__ import annotations

import http
import posixpath
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from jevdb.base.errors import JevdbError
from jevdb.site.addresses import INDEX
from jevdb.site.building import site_files
from jevdb.site.rendering import CONTENT_POLICY

LOOPBACK = "127.0.0.1"
HEADERS = {
    "Content-Security-Policy": f"{CONTENT_POLICY}; frame-ancestors 'none'",
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
    ".svg": "image/svg+xml",
}


class SiteServer(ThreadingHTTPServer):
    """A server of the files of one site."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int):
        self.folder = folder
        self.files = frozenset(site_files(folder))
        try:
            super().__init__((LOOPBACK, port), Reader)
        except OSError as error:
            raise JevdbError(
                f"cannot listen on {LOOPBACK}:{port}: {error.strerror}; --port 0 takes "
                "a free one"
            ) from error

    @property
    def address(self) -> str:
        """Where a browser finds the site."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    @property
    def names(self) -> set[str]:
        """What a browser on this machine calls the server."""
        port = self.server_port
        return {f"{LOOPBACK}:{port}", f"localhost:{port}"}


class Reader(BaseHTTPRequestHandler):
    """Answers GET and HEAD; any other method is refused."""

    server: SiteServer
    server_version = "jevdb"
    sys_version = ""
    protocol_version = "HTTP/1.1"

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
            data = (self.server.folder / path).read_bytes()
        except OSError:
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return
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
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the person."""


def _type_of(path: str) -> str:
    return TYPES.get(Path(path).suffix, "text/plain; charset=utf-8")
