"""A served site is for this machine, for reading, and only what the site lists."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from commandline import COMMAND, jevdb
from site_world import CONTENT_POLICY, make_site

from jevdb.site import serving
from jevdb.site.serving import SiteServer


@pytest.fixture(scope="module")
def served(
    template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SiteServer]:
    folder = tmp_path_factory.mktemp("served")
    site = make_site(template, folder / "site")
    (folder / "secret.txt").write_text("not of the site")
    with SiteServer(site, 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(
    server: SiteServer, path: str, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_a_page_comes_with_its_type_and_the_policy(served: SiteServer):
    for path, kind in (
        ("/", "text/html; charset=utf-8"),
        ("/methods.html?x=1", "text/html; charset=utf-8"),
        ("/assets/site.js", "text/javascript; charset=utf-8"),
        ("/assets/icon.svg", "image/svg+xml"),
        ("/data/evaluation_results--metrics-md.json.gz", "application/gzip"),
    ):
        response, body = ask(served, path)
        assert response.status == 200
        assert response.headers["Content-Type"] == kind
        assert response.headers["Content-Security-Policy"] == (
            f"{CONTENT_POLICY}; frame-ancestors 'none'"
        )
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert len(body) == int(response.headers["Content-Length"])
    response, body = ask(served, "/", "HEAD")
    assert (response.status, body) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing.html", "/../secret.txt", "/%2e%2e/secret.txt", "//secret.txt"),
        *("/assets/..%2f..%2fsecret.txt", "/jevdb-site.json", "/assets/", "/data"),
        *("/index.html%00.js", "/%ff", "\\..\\secret.txt"),
    ],
)
def test_nothing_else_is_there(served: SiteServer, path: str):
    response, body = ask(served, path)
    assert response.status in (400, 404)
    assert b"not of the site" not in body
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_it_answers_to_this_machine_only_and_takes_nothing(served: SiteServer):
    response, _ = ask(served, "/", Host="evil.example")
    assert response.status == 421
    response, _ = ask(served, "/", Host=f"localhost:{served.server_port}")
    assert response.status == 200
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        response, _ = ask(served, "/", method)
        assert response.status == 501
    assert served.server_address[0] == "127.0.0.1"


def test_the_command_serves_until_it_is_told_to_end(template: Path, tmp_path: Path):
    site = make_site(template, tmp_path / "site")
    command = [*COMMAND, "site", "serve", str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_what_is_no_site_and_a_port_in_use_are_said(served: SiteServer, tmp_path: Path):
    refused = jevdb(tmp_path / "none.duckdb", "site", "serve", str(tmp_path))
    assert refused.exit_code == 4
    assert "no site" in refused.stderr
    site = str(served.folder)
    port = str(served.server_port)
    busy = jevdb(tmp_path / "none.duckdb", "site", "serve", site, "--port", port)
    assert busy.exit_code == 1
    assert "--port 0" in busy.stderr
    both = jevdb(
        *(tmp_path / "none.duckdb", "site", "serve", site),
        "--include-private",
    )
    assert both.exit_code == 2


def test_two_hundred_clients_are_all_answered(served: SiteServer):
    failed: list[object] = []
    together = threading.Barrier(200)

    def client() -> None:
        connection = http.client.HTTPConnection(
            "127.0.0.1", served.server_port, timeout=60
        )
        together.wait()
        try:
            for _ in range(5):
                connection.request("GET", "/methods.html")
                response = connection.getresponse()
                body = response.read()
                if response.status != 200 or not body.endswith(b"</html>"):
                    failed.append((response.status, body[-20:]))
        except OSError as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=client) for _ in range(200)]
    before = threading.active_count()
    most = 0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        alive = sum(thread.is_alive() for thread in threads)
        most = max(most, threading.active_count() - alive - before)
        time.sleep(0.005)
    assert failed == []
    # A client that ended between the two counts is in the one only.
    assert most <= serving.MOST_THREADS + 20


def test_a_slow_client_is_let_go(served: SiteServer, monkeypatch):
    monkeypatch.setattr(serving, "PATIENCE", 0.3)
    with socket.create_connection(("127.0.0.1", served.server_port), 10) as slow:
        began = time.monotonic()
        with suppress(OSError):
            for letter in 30 * b"GET / HTTP/1.1 ":
                # Each byte comes in time; all of them together do not.
                slow.sendall(bytes([letter]))
                if not slow_is_open(slow):
                    break
                time.sleep(0.1)
        assert time.monotonic() - began < 10
        assert not slow_is_open(slow)


def slow_is_open(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        client.settimeout(10)


def test_a_client_that_goes_away_prints_nothing(served: SiteServer, capfd):
    for _ in range(3):
        client = socket.create_connection(("127.0.0.1", served.server_port), 10)
        client.sendall(b"GET /methods.html HTTP/1.1\r\n")
        # A reset, not an end.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    response, _ = ask(served, "/")
    assert response.status == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["link", "pipe", "folder link", "folder"])
def test_what_was_put_in_the_place_of_a_file_is_not_followed(
    served: SiteServer, tmp_path: Path, kind: str
):
    asset = served.folder / "assets" / "site.js"
    kept = tmp_path / "kept"
    (tmp_path / "site.js").write_text("not of the site")
    changed = asset.parent if kind == "folder link" else asset
    changed.rename(kept)
    try:
        if kind == "link":
            asset.symlink_to(tmp_path / "site.js")
        elif kind == "pipe":
            os.mkfifo(asset)
        elif kind == "folder":
            asset.mkdir()
        else:
            changed.symlink_to(tmp_path, target_is_directory=True)
        response, body = ask(served, "/assets/site.js")
        assert response.status == 404
        assert b"not of the site" not in body
    finally:
        if kind == "folder":
            asset.rmdir()
        else:
            changed.unlink()
        kept.rename(changed)
