"""Pages as programs: the code blocks of a page run in order, in a folder of their own.

A block is run by its language. What it printed is compared with the `text` block that
follows it, where dots stand for any text, and a line of dots for any lines; a block
without a language is a drawing. A block with a title is a file that the blocks after it
find in the folder. A comment before a block says what is not usual: ``<!-- exits 5
-->``, ``<!-- not run: why -->``; one at the top of the page says where it starts:
``<!-- starts empty -->`` or ``<!-- starts in a checkout -->``, both without a
warehouse; else with the demo in ``jevdb-demo``.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from commandline import jevdb

CHECKOUT = Path(__file__).resolve().parents[2]
DOCS = CHECKOUT / "docs"
BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^>]*?) -->\n)?"
    r"^(?P<indent> *)(?P<fence>```+)(?P<language>[a-z]*) *(?P<options>[^\n`]*)\n"
    r"(?P<text>.*?)"
    r"^(?P=indent)(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
TITLE = re.compile(r'title="([^"]+)"')
EXITS = re.compile(r"exits (\d+)")
NOT_RUN = "not run: "
EMPTY = "<!-- starts empty -->"
IN_A_CHECKOUT = "<!-- starts in a checkout -->"
DRAWING = ""
DOTS = "..."
DATA = {"json", "jsonl", "toml", "yaml", "csv"}
RUN = {"sh", "sql", "python"}
SHOWN = {"text", "diff", DRAWING}
JEVDB = Path(sys.executable).with_name("jevdb")


class Block(NamedTuple):
    """A code block of a page, and the line it starts on."""

    line: int
    language: str
    text: str
    title: str | None
    note: str


def blocks_of(page: Path) -> list[Block]:
    """Return the code blocks of a page, in order."""
    content = page.read_text(encoding="utf-8")
    found = []
    for match in BLOCK.finditer(content):
        title = TITLE.search(match["options"])
        found.append(
            Block(
                content.count("\n", 0, match.start("fence")) + 1,
                match["language"],
                re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE),
                title[1] if title else None,
                match["note"] or "",
            )
        )
    return found


class Reader:
    """Somebody who does what a page says, in a folder."""

    def __init__(self, folder: Path, demo: Path | None, jevdb: Path = JEVDB):
        self.folder = folder
        self.state = folder.parent / f"{folder.name}.state"
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.printed: str | None = ""
        """What the last block printed; None where it was not run."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("JEVDB")}
        self.environment = {
            **kept,
            "PATH": os.pathsep.join([*self.places(jevdb), kept["PATH"]]),
            "COLUMNS": "80",
        }
        if demo:
            (folder / "jevdb-demo").mkdir()
            shutil.copyfile(demo, folder / "jevdb-demo" / "demo.duckdb")
            self.environment["JEVDB_DB"] = "jevdb-demo/demo.duckdb"

    @staticmethod
    def places(jevdb: Path) -> list[str]:
        """Return where commands are: the `jevdb` to call, and what was installed."""
        return [str(jevdb.parent), str(JEVDB.parent)]

    def follow(self, blocks: Sequence[Block]) -> None:
        """Do what the blocks say; what goes wrong names the line."""
        for block in blocks:
            try:
                self.do(block)
            except AssertionError as error:
                raise AssertionError(f"line {block.line}: {error}") from error

    def do(self, block: Block) -> None:
        assert block.language in DATA | RUN | SHOWN, f"language {block.language!r}"
        if block.note.startswith(NOT_RUN):
            self.printed = None
            return
        if block.language in DATA:
            parse(block.language, block.text)
        if block.title:
            path = self.folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            exits = EXITS.search(block.note)
            self.printed = self.bash(block.text, int(exits[1]) if exits else 0)
        elif block.language == "sql":
            self.printed = self.sql(block.text)
        elif block.language == "python":
            self.printed = self.python(block.text)
        elif block.language == "text" and self.printed is not None:
            assert_shown(block.text, self.printed)

    def bash(self, script: str, exit_code: int) -> str:
        """Run a block; folder and exported variables are those of the one before."""
        source = f"source {self.state}\n" if self.state.exists() else ""
        keep = f'trap \'{{ export -p; echo "cd \\"$PWD\\""; }} > {self.state}\' EXIT\n'
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", source + keep + script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == exit_code, (
            f"exit {done.returncode}, not {exit_code}\n{done.stdout}{done.stderr}"
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def sql(self, query: str) -> str:
        """Run a query, which must have an answer."""
        path = self.folder / self.environment["JEVDB_DB"]
        done = jevdb(path, "sql", "-", stdin=query)
        assert done.exit_code == 0, done.output
        assert len(done.stdout.splitlines()) > 1, "no rows"
        return done.stdout

    def python(self, code: str) -> str:
        out = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out):
            exec(compile(code, "page", "exec"), self.names)
        return out.getvalue()


def parse(language: str, text: str) -> None:
    """Read data as what it says it is; a fault of it raises."""
    if language == "json":
        json.loads(text)
    elif language == "jsonl":
        assert all(json.loads(line) is not None for line in text.splitlines())
    elif language == "toml":
        tomllib.loads(text)
    elif language == "yaml":
        assert yaml.safe_load(text)
    else:
        assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1


def assert_shown(shown: str, printed: str) -> None:
    """Hold what a page shows to what was printed, but for its lines of dots."""
    lines = shown.strip("\n").splitlines()
    pattern = "\n".join(
        ".*"
        if line == DOTS
        else "[^\n]*".join(map(re.escape, line.rstrip().split(DOTS)))
        for line in lines
    )
    actual = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    assert re.fullmatch(pattern, actual, re.DOTALL), f"printed:\n{actual}"


def pages() -> Iterator[Path]:
    """Yield the pages whose blocks are run as they stand."""
    yield CHECKOUT / "README.md"
    yield from sorted(DOCS.glob("*.md"))
