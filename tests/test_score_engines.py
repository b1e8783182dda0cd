"""Tallies counted by real engines, one worker killed: the same, bit for bit.

Ray takes 240 MB and Dask 24, so that they are in no environment but the one made here.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from commandline import jevdb
from installing import CHECKOUT, environment, run

from jevdb.base.errors import JevdbError
from jevdb.scoring import engines
from jevdb.scoring.engines import engine_of
from jevdb.scoring.tallying import OtherVersion

SCRIPT = Path(__file__).with_name("engines.py")
KEPT = "select * exclude (seal, sealed_by) from kept_tallies order by all"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with jevdb, Ray and Dask."""
    folder = tmp_path_factory.mktemp("engines") / "env"
    same = f"duckdb=={duckdb.__version__}"
    return environment(folder, f"{CHECKOUT}[ray,dask]", same) / "python"


def kept(path: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute(KEPT).fetchall()


@pytest.fixture(scope="module")
def counted_here(
    demo_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[object, ...]]:
    path = tmp_path_factory.mktemp("here") / "demo.duckdb"
    shutil.copyfile(demo_path, path)
    assert jevdb(path, "score").exit_code == 0
    return kept(path)


@pytest.mark.long
@pytest.mark.parametrize("on", ["processes:2", "ray", "dask"])
def test_a_killed_worker_changes_nothing(
    on: str,
    python: Path,
    demo_path: Path,
    tmp_path: Path,
    counted_here: list[tuple[object, ...]],
):
    path = tmp_path / "demo.duckdb"
    shutil.copyfile(demo_path, path)
    run(python, SCRIPT, path, tmp_path / "marker", on, cwd=tmp_path)
    assert kept(path) == counted_here


@pytest.mark.parametrize(
    ("on", "missing"), [("ray", "ray"), ("dask:host:8786", "distributed")]
)
def test_an_engine_that_is_not_installed(
    on: str, missing: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(JevdbError, match=f"{missing} is not installed"):
        engine_of(on).__enter__()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "tcp://127.0.0.1:1"])
def test_an_address_that_answers_nothing(address: str):
    with pytest.raises(JevdbError, match=f"dask:{address}: nothing answers there"):
        engines._require_answer("dask", address)


def test_what_a_worker_says_is_what_can_be_done():
    other = OtherVersion("a worker has jevdb 9")
    assert engines._told(other) is other
    assert "no jevdb: install" in str(
        engines._told(ModuleNotFoundError("No module", name="jevdb"))
    )
    full = engines._told(OSError(28, "No space left on device"))
    assert "a worker could not count: OSError: [Errno 28] No space left" in str(full)
