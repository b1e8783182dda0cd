"""The action's comment, asked of a GitHub on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from pages import CHECKOUT

COMMENTS = "/repos/acme/decider/issues/7/comments"


class GitHub(ThreadingHTTPServer):
    """The comments of one pull request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.comments = [{"id": n, "body": f"comment {n}"} for n in range(100)]
        self.may_write = True


class Answers(BaseHTTPRequestHandler):
    server: GitHub

    def log_message(self, *words: object) -> None:
        pass

    def answer(self, code: int, told: object) -> None:
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        assert asked.path == COMMENTS
        page = {name: int(value) for name, [value] in parse_qs(asked.query).items()}
        first = (page["page"] - 1) * page["per_page"]
        self.answer(200, self.server.comments[first : first + page["per_page"]])

    def said(self) -> str:
        assert self.headers["Authorization"] == "Bearer secret"
        length = int(self.headers["Content-Length"])
        return str(json.loads(self.rfile.read(length))["body"])

    def do_POST(self) -> None:
        assert self.path == COMMENTS
        body = self.said()
        if not self.server.may_write:
            self.answer(403, {"message": "Resource not accessible by integration"})
            return
        self.server.comments.append({"id": 900, "body": body})
        self.answer(201, {})

    def do_PATCH(self) -> None:
        assert self.path == "/repos/acme/decider/issues/comments/900"
        self.server.comments[-1]["body"] = self.said()
        self.answer(200, {})


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def comment(
    github: GitHub, folder: Path, text: str, event: object
) -> subprocess.CompletedProcess[str]:
    (folder / "event.json").write_text(json.dumps(event))
    (folder / "gate.md").write_text(text)
    done = subprocess.run(
        [sys.executable, CHECKOUT / "action" / "comment.py"],
        env={
            **os.environ,
            "no_proxy": "127.0.0.1",
            "GITHUB_API_URL": f"http://127.0.0.1:{github.server_address[1]}",
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_REPOSITORY": "acme/decider",
            "GITHUB_TOKEN": "secret",
            "BENCHMARK": "routing",
            "MARKDOWN": str(folder / "gate.md"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "secret" not in done.stderr
    return done


PULL = {"pull_request": {"number": 7}}


def test_one_comment_is_written_and_then_updated(github: GitHub, tmp_path: Path):
    """A hundred others are on the first page."""
    comment(github, tmp_path, "### jevdb gate: passed\n", PULL)
    comment(github, tmp_path, "### jevdb gate: failed\n", PULL)
    assert len(github.comments) == 101
    assert github.comments[-1]["body"] == (
        "<!-- jevdb gate: routing -->\n### jevdb gate: failed\n"
    )


def test_a_long_verdict_is_cut(github: GitHub, tmp_path: Path):
    comment(github, tmp_path, "x" * 70_000, PULL)
    body = str(github.comments[-1]["body"])
    assert len(body) < 65_536
    assert body.endswith("(cut; the rest is in the job's summary)\n")


def test_who_may_not_write_says_so_and_goes_on(github: GitHub, tmp_path: Path):
    github.may_write = False
    told = comment(github, tmp_path, "### jevdb gate: passed\n", PULL).stderr
    assert "no comment: HTTP Error 403" in told
    assert len(github.comments) == 100


def test_a_push_has_no_place_for_a_comment(github: GitHub, tmp_path: Path):
    told = comment(github, tmp_path, "text", {"ref": "refs/heads/main"}).stderr
    assert "this is no pull request" in told
