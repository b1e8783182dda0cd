"""A lake whose files are in an object store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import boto3
import duckdb
import pytest
from commandline import jevdb
from moto.server import ThreadedMotoServer
from places import Place, answer_rows, benchmark_rows, write_rows
from servers import HOST, free_port

from jevdb.lake import extensions
from jevdb.lake.storage import not_given

pytestmark = pytest.mark.long

BUCKET = "evals"


@pytest.fixture
def store(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[ThreadedMotoServer]:
    """An object store with an empty bucket, and the environment that leads there."""
    server = ThreadedMotoServer(HOST, free_port(), verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "opensesame",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "JEVDB_CACHE": str(tmp_path / "here"),
    }.items():
        monkeypatch.setenv(name, value)
    boto3.client("s3").create_bucket(Bucket=BUCKET)
    yield server
    server.stop()


def keys() -> set[str]:
    found = boto3.client("s3").list_objects_v2(Bucket=BUCKET)
    return {each["Key"] for each in found.get("Contents", [])}


def test_a_lake_in_an_object_store(
    store: ThreadedMotoServer,
    empty_place: Place,
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    empty_place.postgres.psql(f"create database {empty_place.database}_s3")
    lake = f"{empty_place.dsn()}_s3"
    made = jevdb(lake, "init", "--data", f"s3://{BUCKET}/lake")
    assert made.exit_code == 0, made.output
    items = write_rows(tmp_path / "items.jsonl", benchmark_rows(20))
    rows = write_rows(tmp_path / "rows.jsonl", answer_rows(20, "0"))
    others = write_rows(tmp_path / "others.jsonl", answer_rows(20, "1"))
    file = tmp_path / "file.duckdb"
    file.write_bytes(template.read_bytes())
    names = ("--benchmark", "small", "--model", "alpha")
    for db in (str(file), lake):
        for path, code in ((items, 0), (rows, 0), (rows, 0), (others, 4)):
            words = names[:2] if path is items else names
            kind = "items" if path is items else "run"
            done = jevdb(db, "ingest", kind, str(path), *words)
            assert done.exit_code == code, done.output
    # From another machine: the same export as of the file.
    monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / "there"))
    exports = [jevdb(db, "export", "--out", "-").stdout for db in (file, lake)]
    assert exports[0] == exports[1]
    assert json.loads(exports[1])["runs"][0]["model"]["name"] == "alpha"
    for words in (("lake", "compact"), ("lake", "verify"), ("check",)):
        done = jevdb(lake, *words)
        assert done.exit_code == 0, done.output
    assert jevdb(lake, "lake", "orphans").stdout == ""
    gone = next(key for key in keys() if "/predictions/" in key)
    boto3.client("s3").delete_object(Bucket=BUCKET, Key=gone)
    damaged = jevdb(lake, "lake", "verify", "--format", "jsonl")
    assert damaged.exit_code == 1
    assert "missing_file" in damaged.stdout
    assert "in predictions" in damaged.stdout
    assert "opensesame" not in damaged.output + damaged.stderr


def test_an_object_store_that_cannot_be_reached(
    store: ThreadedMotoServer, empty_place: Place
):
    """Nothing is made of a catalog whose files have no place."""
    empty_place.postgres.psql(f"create database {empty_place.database}_s3")
    lake = f"{empty_place.dsn()}_s3"
    refused = jevdb(lake, "init", "--data", "s3://no-such-bucket/lake")
    assert refused.exit_code == 1, refused.output
    assert "the lake's storage refused s3://no-such-bucket/lake/main/" in refused.stderr
    assert "opensesame" not in refused.stderr


def test_a_store_that_gives_nothing_is_not_called_damaged(
    store: ThreadedMotoServer,
    empty_place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """A byte flipped, a file gone, no keys, no store: each read by a new process."""
    empty_place.postgres.psql(f"create database {empty_place.database}_s3")
    lake = f"{empty_place.dsn()}_s3"
    items = write_rows(tmp_path / "items.jsonl", benchmark_rows(20))
    rows = write_rows(tmp_path / "rows.jsonl", answer_rows(20, "0"))
    for words in (
        ("init", "--data", f"s3://{BUCKET}/lake"),
        ("ingest", "items", str(items), "--benchmark", "small"),
        ("ingest", "run", str(rows), "--benchmark", "small", "--model", "alpha"),
    ):
        done = jevdb(lake, *words)
        assert done.exit_code == 0, done.output
    objects = boto3.client("s3")
    key = next(key for key in keys() if "/predictions/" in key)
    whole = objects.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    new = count()

    def said() -> str:
        extensions.engine.cache_clear()
        monkeypatch.setenv("JEVDB_CACHE", str(tmp_path / f"there-{next(new)}"))
        refused = jevdb(lake, "runs")
        assert refused.exit_code == 1, refused.output
        assert "opensesame" not in refused.stderr
        return refused.stderr

    held = f"run {done.stdout.strip()[:12]} in predictions: file "
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 0x10
    for damaged in (bytes(flipped), whole[: len(whole) // 2], b""):
        objects.put_object(Bucket=BUCKET, Key=key, Body=damaged)
        line = said()
        assert f"warehouse damaged: {held}" in line
        assert key in line
    objects.delete_object(Bucket=BUCKET, Key=key)
    line = said()
    assert f"file missing: {held}" in line
    assert "check that the bucket and path are the lake's" in line
    objects.put_object(Bucket=BUCKET, Key=key, Body=whole)
    extensions.engine.cache_clear()
    assert "alpha" in jevdb(lake, "runs").stdout
    store.stop()
    line = said()
    assert "cannot be reached: Could not connect to server; check the network" in line
    assert "damaged" not in line


@pytest.mark.parametrize("status, words", [(403, "check AWS_"), (503, "try again")])
def test_a_store_that_refuses(status: int, words: str, empty_place: Place):
    error = duckdb.HTTPException(
        "HTTP Error: HTTP GET error reading 's3://evals/lake/main/runs/a.parquet' in "
        f"region '' (HTTP {status} Said)"
    )
    with empty_place.reading() as lake:
        failed = not_given(lake, error)
    assert failed is not None
    assert words in str(failed)
    assert "damaged" not in str(failed)
