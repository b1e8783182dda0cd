"""Other Pythons run the wheel, and a newer DuckDB reads the file: the long mode.

Each gets an environment of its own, from the package registry that pip knows.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from needed import NOT_TESTED
from test_package import CHECKOUT, build, run

from jevdb.warehouse.sqlfiles import program

pytestmark = pytest.mark.long

MINORS = range(11, 16)
SAY_VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"
ASK = """
import sys
import jevdb

with jevdb.open(sys.argv[1]) as warehouse:
    print(warehouse.report(method=["metrics-md", "jevbench-v1.5"]).text())
    print(warehouse.leaderboard("cmdb-1500-synthetic").text())
    print(warehouse.compare("de-1", "gavel-decide-4b").to_arrow().num_rows)
"""
READ = """
import json, sys
import duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
connection.execute("set enable_progress_bar = false")
counts = {
    view: connection.execute(f'select count(*) from (from "{view}")').fetchall()[0][0]
    for view in json.loads(sys.argv[2])
}
rows = connection.execute(
    "select to_json(report) as line from report order by line"
).fetchall()
print(json.dumps([duckdb.__version__, counts, [line for (line,) in rows]]))
"""


def pythons() -> dict[str, Path]:
    """Return the other Pythons of this machine, from 3.11 on, by version."""
    places = [Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python"]
    found = [path for place in places for path in sorted(place.glob("*/bin/python3"))]
    for folder in (Path("/usr/bin"), Path("/usr/local/bin"), Path("/opt/python")):
        found += [folder / f"python3.{minor}" for minor in MINORS]
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    known = {f"3.{minor}" for minor in MINORS} - {here}
    others: dict[str, Path] = {}
    for path in found:
        version = version_of(path) if path.exists() else None
        if version in known:
            others.setdefault(version, path)
    return others


def version_of(python: Path) -> str | None:
    done = subprocess.run(
        [python, "-c", SAY_VERSION], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(CHECKOUT, tmp_path_factory.mktemp("dist"), "--wheel", "--sdist")[0]


def told(jevdb: Path, python: Path, folder: Path) -> tuple[dict[str, bytes], str]:
    """Run the demo into a folder; return its files, and what Python says of it."""
    folder.mkdir()
    run(jevdb, "demo", "story", cwd=folder)
    story = folder / "story"
    files = {name: (story / name).read_bytes() for name in FILES}
    return files, run(python, "-c", ASK, story / "demo.duckdb", cwd=folder).stdout


FILES = ("evaluation_results.json", "RESULTS.md")


def test_every_other_python_says_the_same_bytes(wheel: Path, tmp_path: Path):
    others = pythons()
    if not others:
        pytest.skip(f"{NOT_TESTED}: no other Python from 3.11 on on this machine")
    here = Path(sys.executable)
    expected = told(here.with_name("jevdb"), here, tmp_path / "here")
    for version, python in others.items():
        place = tmp_path / version
        run(python, "-m", "venv", place, cwd=tmp_path)
        run(
            *(place / "bin/python", "-m", "pip", "install", "--quiet"),
            *("--disable-pip-version-check", "-c", CHECKOUT / "constraints.txt"),
            wheel,
            cwd=tmp_path,
        )
        assert version_of(place / "bin/python") == version
        found = told(place / "bin/jevdb", place / "bin/python", place / "work")
        assert found == expected, version


def test_a_duckdb_2_client_reads_every_view_and_the_same_report(
    demo_path: Path, tmp_path: Path
):
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    run(
        *(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        "duckdb>=2,<3",
        cwd=tmp_path,
    )
    views = json.dumps([item.name for item in program() if item.kind == "view"])
    (old, *expected), (new, *found) = (
        json.loads(run(client, "-I", "-c", READ, demo_path, views, cwd=tmp_path).stdout)
        for client in (Path(sys.executable), python)
    )
    assert (old.split(".")[0], new.split(".")[0]) == ("1", "2")
    assert found == expected
