"""An installed wheel works in an empty environment, away from the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
        *("--outdir", folder, CHECKOUT),
        cwd=folder,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_sql_migrations_and_seeds(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("sql", "migrations", "seeds"):
        for path in (CHECKOUT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"jevdb/{path.relative_to(CHECKOUT)}" in names
    assert "jevdb/py.typed" in names


def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path):
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
        *("--outdir", tmp_path, CHECKOUT),
        cwd=tmp_path,
    )
    assert next(tmp_path.glob("*.whl")).read_bytes() == wheel.read_bytes()


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
