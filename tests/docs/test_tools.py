"""The snippets of docs/tools.md, each in an environment with the tool it is about."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from installing import CHECKOUT, environment
from pages import DOCS, Block, Reader, blocks_of

from jevdb.warehouse.sqlfiles import program

PAGE = DOCS / "tools.md"
WITH = re.compile(r"not run: (?P<how>cells, |terminal, |)with (?P<packages>.+)")
SOURCES = DOCS / "examples" / "dbt-sources.yml"


def sections() -> dict[str, list[Block]]:
    """Return the blocks of each section that needs other packages than ours."""
    text = PAGE.read_text(encoding="utf-8").splitlines()
    titles = [(n, line[3:]) for n, line in enumerate(text, 1) if line.startswith("## ")]
    found: dict[str, list[Block]] = {}
    for block in blocks_of(PAGE):
        title = [name for line, name in titles if line < block.line][-1:]
        found.setdefault("".join(title), []).append(block)
    return {
        name: blocks
        for name, blocks in found.items()
        if any(WITH.fullmatch(block.note) for block in blocks)
    }


class Somebody(Reader):
    """Somebody who has a tool, in an environment of its own."""

    def do(self, block: Block) -> None:
        told = WITH.fullmatch(block.note)
        if told and told["how"] == "cells, ":
            self.printed = self.cells(block.text)
        elif told and told["how"] == "terminal, ":
            self.terminal(block.text)
        else:
            super().do(block._replace(note="") if told else block)

    def python(self, code: str) -> str:
        return self.bash(f"python - <<'CODE'\n{code}\nCODE", 0)

    def cells(self, text: str) -> str:
        """Run lines as the cells of a notebook; each must succeed."""
        code = (
            "from IPython.core.interactiveshell import InteractiveShell\n"
            "shell = InteractiveShell.instance()\n"
            f"for line in {text.splitlines()!r}:\n"
            "    assert shell.run_cell(line).success, line\n"
        )
        return self.python(code)

    def terminal(self, command: str) -> None:
        """Start a program for terminals, see the file's name, and leave."""
        import pexpect

        child = pexpect.spawn(
            "bash",
            ["-c", command],
            cwd=str(self.folder),
            env={**self.environment, "TERM": "xterm-256color"},
            dimensions=(40, 120),
            timeout=60,
        )
        try:
            child.expect("demo")
        finally:
            child.close(force=True)


def test_the_sources_of_dbt_are_there():
    [source] = yaml.safe_load(SOURCES.read_text())["sources"]
    views = {item.name for item in program() if item.kind == "view"}
    assert {table["name"] for table in source["tables"]} <= views


@pytest.mark.long
@pytest.mark.parametrize("section", list(sections()))
def test_a_tool_reads_the_warehouse(section: str, demo_path: Path, tmp_path: Path):
    blocks = sections()[section]
    wanted = [
        f"{CHECKOUT}{each[1:]}" if each.startswith(".[") else each
        for block in blocks
        if (told := WITH.fullmatch(block.note))
        for each in told["packages"].split()
    ]
    binaries = environment(tmp_path / "env", *dict.fromkeys(wanted))
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "models").mkdir()
    shutil.copyfile(SOURCES, folder / "models" / "sources.yml")
    Somebody(folder, demo_path, binaries / "jevdb").follow(blocks)
    assert (folder / "jevdb-demo" / "demo.duckdb").read_bytes() == (
        demo_path.read_bytes()
    )


ASKING = """
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main(command, *arguments):
    server = StdioServerParameters(command=command, args=list(arguments))
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        said = []
        for sql in json.load(sys.stdin):
            answer = await session.call_tool("execute_query", {"sql": sql})
            said.append(answer.content[0].text)
        print(json.dumps(said))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.long
def test_an_agent_asks_and_cannot_write(demo_path: Path, tmp_path: Path):
    [block] = [each for each in blocks_of(PAGE) if each.title == "mcp.json"]
    server = json.loads(block.text)["mcpServers"]["jevdb"]
    package, *arguments = server["args"]
    assert server["command"] == "uvx"
    binaries = environment(tmp_path / "env", package)
    (tmp_path / "jevdb-demo").mkdir()
    shutil.copyfile(demo_path, tmp_path / "jevdb-demo" / "demo.duckdb")
    asked = ["select count(*) as n from answers", "drop table runs"]
    done = subprocess.run(
        [
            *(binaries / "python", "-c", ASKING),
            *(binaries / package.split("==")[0], *arguments),
        ],
        cwd=tmp_path,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    count, refused = json.loads(done.stdout.splitlines()[-1])
    assert json.loads(count)["rows"] == [[4962]]
    assert "attached in read-only mode" in refused


def test_the_tools_are_those_of_the_page():
    assert set(sections()) == {
        *("Ibis", "dbt", "JupySQL", "Harlequin", "Datasette", "DVC", "MLflow")
    }
