"""The same rows give the same bytes, in any order, splitting and number of threads."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import worked
from building import open_to_fill
from commandline import jevdb
from making import copied

from jevdb.base.connection import Connection
from jevdb.demonstration.synthetic import BENCHMARK_ID, SCORING, write_items
from jevdb.demonstration.synthetic_models import MODELS, write_predictions
from jevdb.exports import results_file as export
from jevdb.ingest import ItemsOptions, Model, RunOptions, ingest_items, ingest_run
from jevdb.scoring import runs
from jevdb.warehouse.database import open_reader

REAL = "jevbench-public-231"


def exported(connection: Connection, method: str = "metrics-md") -> bytes:
    current = runs.asked_for(connection, ())
    return export.to_bytes(export.document(connection, export.Request(current, method)))


@pytest.fixture(scope="module")
def shuffled_path(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's data again: lines shuffled, files split, everything last to first."""
    folder = tmp_path_factory.mktemp("shuffled")
    path = folder / "warehouse.duckdb"
    copied(template, path)
    with open_to_fill(path) as connection:
        ingest_items(
            connection,
            in_pieces(folder, write_items(folder)),
            ItemsOptions(BENCHMARK_ID, SCORING),
        )
        for model in reversed(MODELS):
            ingest_run(
                connection,
                in_pieces(folder, write_predictions(folder, model)),
                RunOptions(BENCHMARK_ID, Model(model.name)),
            )
        items = worked.JEVBENCH / "public_231.items.jsonl"
        ingest_items(connection, in_pieces(folder, items), ItemsOptions(REAL))
        for name, files in reversed(worked.RUN_FILES.items()):
            together = folder / f"{name}.jsonl"
            sources = [worked.JEVBENCH / file for file in files]
            together.write_bytes(b"".join(source.read_bytes() for source in sources))
            pieces = in_pieces(folder, together)
            ingest_run(connection, pieces, RunOptions(REAL, Model(name)))
    return path


def in_pieces(folder: Path, path: Path) -> list[Path]:
    """The lines of a file in another order, over three files of different lengths."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    random.Random(7).shuffle(lines)
    cuts = [0, 1, len(lines) // 3, len(lines)]
    pieces = [folder / f"{path.stem}.piece-{number}.jsonl" for number in range(3)]
    for number, piece in enumerate(pieces):
        piece.write_text("".join(lines[cuts[number] : cuts[number + 1]]), "utf-8")
    return pieces


def test_shuffled_rows_of_another_database_give_the_same_bytes(
    demo_path: Path, shuffled_path: Path
):
    with open_reader(demo_path) as first, open_reader(shuffled_path) as second:
        for method in ("metrics-md", "jevbench-v1.5", "jevbench-v1.5-frozen"):
            assert exported(first, method) == exported(second, method)


SAID = (
    ("compare", "synthetic-bold", "synthetic-steady", "--cluster", "family"),
    ("compare", "synthetic-bold", "synthetic-steady", "synthetic-terse"),
    ("leaderboard", "--benchmark", REAL, "--cluster", "family"),
    ("leaderboard", "--benchmark", BENCHMARK_ID, "--by", "brier"),
)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(
            said, id=" ".join(said), marks=pytest.mark.long if place % 2 else ()
        )
        for place, said in enumerate(SAID)
    ],
)
def test_shuffled_rows_give_the_same_verdicts(
    demo_path: Path, shuffled_path: Path, arguments: tuple[str, ...]
):
    first, second = (
        jevdb(path, *arguments, "--format", "json").stdout
        for path in (demo_path, shuffled_path)
    )
    assert first.startswith("[")
    assert first == second


def test_threads_change_no_byte(demo_path: Path):
    found = set()
    for threads in (1, 2, 8):
        # Of what is read inward only, the settings are locked.
        with open_reader(demo_path, outward=True) as connection:
            connection.execute(f"set threads = {threads}")
            found.add(exported(connection))
    assert len(found) == 1


INFERRED = """
import hashlib, json, sys
import jevdb
from jevdb.warehouse import settings

settings.SETTINGS["threads"] = int(sys.argv[2])
digest = hashlib.sha256()
with jevdb.open(sys.argv[1]) as warehouse:
    [known] = warehouse.sql("select current_setting('threads') as n").to_pylist()
    assert known == {"n": int(sys.argv[2])}
    board = {"benchmark": "cmdb-1500-synthetic"}
    asked = [
        lambda: warehouse.compare(
            "synthetic-bold", "synthetic-steady", cluster="family"
        ),
        lambda: warehouse.leaderboard(**board, by="brier"),
        lambda: warehouse.leaderboard(**board, by="I"),
        lambda: warehouse.report("synthetic-bold"),
    ]
    found = [ask() for ask in asked[: int(sys.argv[3])]]
for each in found:
    digest.update(json.dumps(each.rows().rows, default=str).encode())
print(len(found), digest.hexdigest())
"""


@pytest.mark.parametrize("n", [2, pytest.param(4, marks=pytest.mark.long)])
def test_threads_change_no_verdict(demo_path: Path, n: int):
    """DuckDB's threads, and those of the library behind numpy's matrix products."""
    said = set()
    for threads in ("1", "8"):
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), threads)
        done = subprocess.run(
            [sys.executable, "-c", INFERRED, str(demo_path), threads, str(n)],
            env={**os.environ, **limits},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said.add(done.stdout)
    [one] = said
    assert one.startswith(f"{n} ")


def test_the_views_as_they_stand_give_the_bits_that_a_selection_gives(
    demo_path: Path,
):
    """`from report_metrics` in any client is what the export says, bit for bit."""
    with open_reader(demo_path) as connection:
        rows = connection.execute(
            "select run_id, report_row, metric, kind, value from report_metrics "
            "where method_id = 'metrics-md'"
        ).fetchall()
        document = export.document(
            connection, export.Request(runs.asked_for(connection, ()))
        )
    values = {tuple(row[:4]): row[4] for row in rows}
    assert {
        (run["run_id"], name, metric, kind): number["value"]
        for run in document["runs"]
        for name, row in run["rows"].items()
        for metric, kinds in row["metrics"].items()
        for kind, number in kinds.items()
    }.items() <= values.items()
