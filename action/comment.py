"""One comment on the pull request, written once and then updated.

It is found again by a mark that no reader sees. Where there is no pull request, or the
token may not write (as in one from a fork), it says so and the job goes on.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

MOST = 60_000
"""GitHub takes 65,536 characters."""
PAGE = 100


def main() -> None:
    """Post the verdict, or put it in the place of the one before."""
    number = pull_request(Path(os.environ["GITHUB_EVENT_PATH"]))
    if number is None:
        print("no comment: this is no pull request", file=sys.stderr)
        return
    mark = f"<!-- jevdb gate: {os.environ['BENCHMARK'].replace('--', '- -')} -->"
    text = Path(os.environ["MARKDOWN"]).read_text(encoding="utf-8")
    if len(text) > MOST:
        text = text[:MOST] + "\n\n(cut; the rest is in the job's summary)\n"
    body = {"body": f"{mark}\n{text}"}
    issues = f"/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    try:
        before = own_comment(f"{issues}/{number}/comments", mark)
        if before is None:
            asked("POST", f"{issues}/{number}/comments", body)
        else:
            asked("PATCH", f"{issues}/comments/{before}", body)
    except urllib.error.URLError as error:
        print(f"no comment: {error}", file=sys.stderr)


def pull_request(event: Path) -> int | None:
    """Return the number of the pull request that an event is about."""
    told = json.loads(event.read_text(encoding="utf-8")).get("pull_request")
    return told["number"] if told else None


def own_comment(comments: str, mark: str) -> int | None:
    """Return the id of the comment that begins with the mark, if there is one."""
    page = 1
    while found := asked("GET", f"{comments}?per_page={PAGE}&page={page}"):
        for comment in found:
            if (comment["body"] or "").startswith(mark):
                return int(comment["id"])
        page += 1
    return None


def asked(method: str, path: str, body: object = None) -> Any:
    """Ask GitHub, and return what it answers."""
    request = urllib.request.Request(
        os.environ.get("GITHUB_API_URL", "https://api.github.com") + path,
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
