"""What is published: built alike anywhere, whole, at work far from the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        capture_output=True,
        cwd=cwd,
        env=environment,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "build", "dist"),
    *("*.egg-info", "jevdb-demo"),
)


def build(source: Path, folder: Path, *options: str) -> tuple[Path, Path]:
    """Build without a network; give the wheel and the source distribution."""
    run(
        *(sys.executable, "-m", "build", "--no-isolation", *options),
        *("--outdir", folder, source),
        cwd=folder,
    )
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source distribution, each made of the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    return build(CHECKOUT, folder, "--wheel", "--sdist")


@pytest.fixture(scope="module")
def wheel(built: tuple[Path, Path]) -> Path:
    return built[0]


def files_in(folder: str) -> set[str]:
    paths = (CHECKOUT / folder).rglob("*")
    return {
        str(path.relative_to(CHECKOUT))
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_carries_all_that_the_program_reads(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("sql", "migrations", "seeds"):
        assert {f"jevdb/{name}" for name in files_in(folder)} <= names
    assert files_in("jevdb") <= names
    assert "jevdb/py.typed" in names
    # The shipped data of others carries its sources and licence.
    assert "jevdb/seeds/demo/jevbench/SOURCES.md" in names
    assert not any("__pycache__" in name or "tests/" in name for name in names)


def test_the_wheel_says_what_it_is(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        [place] = {name.split("/")[0] for name in archive.namelist()} - {"jevdb"}
        told = message_from_string(archive.read(f"{place}/METADATA").decode())
        licence = archive.read(f"{place}/licenses/LICENSE")
        entry_points = archive.read(f"{place}/entry_points.txt").decode()
    assert (told["Name"], told["License-Expression"]) == ("jevdb-warehouse", "MIT")
    assert licence == (CHECKOUT / "LICENSE").read_bytes()
    assert set(told.get_all("Provides-Extra", [])) == {
        *("plot", "site", "formats", "lake", "dev"),
    }
    assert "jevdb = jevdb.cli:main" in entry_points


def test_the_source_distribution_is_whole(built: tuple[Path, Path]):
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("jevdb", "sql", "migrations", "seeds", "tests", "docs"):
        assert files_in(folder) <= names
    for name in ("Makefile", "constraints.txt", "LICENSE", "CHANGELOG.md", "README.md"):
        assert name in names


def test_two_builds_are_the_same_bytes(
    built: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """From another folder, with other dates and permissions, by way of the sdist."""
    copy = tmp_path / "elsewhere" / "copy"
    shutil.copytree(CHECKOUT, copy, ignore=NOT_COPIED)
    for path in copy.rglob("*"):
        # Whether a script is executable is part of what is built.
        path.chmod(0o700 if path.stat().st_mode & 0o100 else 0o640)
        os.utime(path, (1_000_000_000, 1_000_000_000))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    old = os.umask(0o077)
    try:
        folder = tmp_path / "dist"
        folder.mkdir()
        again = build(copy, folder)
    finally:
        os.umask(old)
    for one, other in zip(built, again, strict=True):
        assert one.name == other.name
        assert one.read_bytes() == other.read_bytes()


def test_an_installed_wheel_runs_the_demo(wheel: Path, tmp_path: Path):
    environment = tmp_path / "env"
    venv.create(environment, with_pip=True)
    binaries = environment / ("Scripts" if os.name == "nt" else "bin")
    run(
        *(binaries / "python", "-m", "pip", "install", "--quiet"),
        *("--disable-pip-version-check", "-c", CHECKOUT / "constraints.txt", wheel),
        cwd=tmp_path,
    )
    jevdb = binaries / "jevdb"
    assert run(jevdb, "--version", cwd=tmp_path).stdout.startswith("jevdb ")
    run(jevdb, "demo", "story", cwd=tmp_path)
    document = json.loads((tmp_path / "story" / "evaluation_results.json").read_text())
    assert document["schema_version"] == 1
    assert len(document["runs"]) >= 5
    where = run(
        *(binaries / "python", "-c", "import jevdb; print(jevdb.__file__)"),
        cwd=tmp_path,
    )
    assert str(environment) in where.stdout


def test_constraints_pin_by_version_and_name_no_source():
    lines = (CHECKOUT / "constraints.txt").read_text().splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+-]+", line), line
