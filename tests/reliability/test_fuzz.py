"""Real files with any bytes changed give rows or a clear error, and nothing else."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jevdb.base.errors import JevdbError
from jevdb.base.zstd import zstd
from jevdb.demonstration.demo import JEVBENCH_ID
from jevdb.ingest import Model, RunOptions, prepare_run
from jevdb.ingest.benchmark import Benchmark, load_benchmark
from jevdb.ingest.items.files import read_items
from jevdb.warehouse.database import open_reader

DATA = Path(__file__).parents[1] / "data"
SEEDS = Path(__file__).parents[2] / "seeds" / "demo" / "jevbench"
KEPT = 6000
FILES = [
    *sorted((DATA / "system_one").glob("*.js*")),
    *sorted((DATA / "lm_eval").glob("*.jsonl")),
    *sorted((DATA / "inspect_ai").glob("*.eval")),
    *sorted((DATA / "decision_bench" / "run").glob("raw.jsonl")),
    *sorted(SEEDS.glob("*.jsonl")),
]
TOKENS = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\xef\xbb\xbf", b"\r", b"\n"),
    *(b"NaN", b"1e400", b"-", b'"', b"{", b"}", b"[" * 5000, b"null", b"\x1f\x8b"),
    *(b"9" * 400, b",", b":", b"\\", b"PAR1", b"PK\x03\x04", b"\x28\xb5\x2f\xfd"),
)


@pytest.fixture(scope="module")
def benchmark(demo_path: Path) -> Benchmark:
    with open_reader(demo_path) as connection:
        return load_benchmark(connection, JEVBENCH_ID)


@st.composite
def changed(draw: st.DrawFn, path: Path) -> bytes:
    """The file with up to four places changed, cut short, or compressed and damaged."""
    whole = path.read_bytes()
    data = bytearray(whole if path.suffix == ".eval" else whole[:KEPT])
    packing = draw(st.sampled_from(["none", "none", "gzip", "zstd"]))
    if packing == "gzip":
        data = bytearray(gzip.compress(data, mtime=0))
    if packing == "zstd":
        data = bytearray(zstd.compress(bytes(data)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.sampled_from(["token", "flip", "cut", "drop", "repeat"]))
        end = place + draw(st.integers(1, 300))
        if kind == "token":
            data[place:place] = draw(st.sampled_from(TOKENS))
        elif kind == "flip" and data:
            data[place] ^= 1 << draw(st.integers(0, 7))
        elif kind == "cut":
            del data[place:]
        elif kind == "drop":
            del data[place:end]
        else:
            data[end:end] = data[place:end]
    return bytes(data)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_changed_file_gives_rows_or_an_error(
    path: Path,
    benchmark: Benchmark,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
):
    file = tmp_path_factory.getbasetemp() / "changed"
    file.write_bytes(data.draw(changed(path)))
    options = RunOptions(JEVBENCH_ID, Model("m"), allow_invalid=True)
    for read in (
        lambda: prepare_run(benchmark, [file], options).rows,
        lambda: read_items([file], None).rows,
    ):
        try:
            assert read() is not None
        except JevdbError as error:
            assert str(error), "an error says something"
            assert len(str(error)) < 20_000
    assert sys.getrecursionlimit() < 5000, "nobody raised the limit for good"
