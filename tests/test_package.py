"""What is published: built alike anywhere, whole, at work far from the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path
from typing import NamedTuple

import pytest
from installing import CHECKOUT, environment, run


class Built(NamedTuple):
    """The wheel and the source distribution."""

    wheel: Path
    sdist: Path


NOT_COPIED = shutil.ignore_patterns(
    *(".venv", ".*_cache", ".hypothesis", "__pycache__", "build", "dist"),
    *("*.egg-info", "jevdb-demo"),
)


def build(source: Path, folder: Path, *options: str) -> Built:
    """Build without a network; give the wheel and the source distribution."""
    run(
        *(sys.executable, "-m", "build", "--no-isolation", *options),
        *("--outdir", folder, source),
        cwd=folder,
    )
    return Built(next(folder.glob("*.whl")), next(folder.glob("*.tar.gz")))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel and the source distribution, each made of the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    return build(CHECKOUT, folder, "--wheel", "--sdist")


@pytest.fixture(scope="module")
def wheel(built: Built) -> Path:
    return built.wheel


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
        *("plot", "site", "formats", "mlflow", "sqlalchemy", "lake", "dev"),
        *("ray", "dask"),
    }
    assert "jevdb = jevdb.entry:main" in entry_points


def test_the_source_distribution_is_whole(built: Built):
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("jevdb", "sql", "migrations", "seeds", "tests", "docs"):
        assert files_in(folder) <= names
    for name in ("Makefile", "constraints.txt", "LICENSE", "CHANGELOG.md", "README.md"):
        assert name in names


def test_two_builds_are_the_same_bytes(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


@pytest.mark.parametrize("what", ["wheel", "sdist"])
def test_what_is_built_says_its_commit(built: Built, tmp_path: Path, what: str):
    """Installed in a clean environment; the wheel runs the demo too."""
    pinned = ("-c", CHECKOUT / "constraints.txt")
    binaries = environment(tmp_path / "env", *pinned, getattr(built, what))
    jevdb = binaries / "jevdb"
    commit = run("git", "rev-parse", "HEAD", cwd=CHECKOUT).stdout[:12]
    version = run(jevdb, "--version", cwd=tmp_path).stdout
    said = rf"jevdb [0-9.]+ \(commit {commit}( and changes)?\)\n"
    assert re.fullmatch(said, version), version
    if what == "wheel":
        run(jevdb, "demo", "story", cwd=tmp_path)
        text = (tmp_path / "story" / "evaluation_results.json").read_text()
        document = json.loads(text)
        assert document["schema_version"] == 1
        assert len(document["runs"]) >= 5


def test_constraints_pin_by_version_and_name_no_source():
    lines = (CHECKOUT / "constraints.txt").read_text().splitlines()
    assert lines
    for line in lines:
        if not line.startswith("# "):
            assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+-]+", line), line
