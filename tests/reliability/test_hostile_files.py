"""Files made to do harm: the command ends with rows or one clear error, in little room.

Processes of their own, so that the memory is that of the command.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import jevdb
from forked import Ended, run_forked
from scenes import copied

from jevdb.base.zstd import zstd

MIB = 1 << 20
MOST_MEMORY = 1200 * MIB
ITEM = {"item_id": "q1", "type": "choice", "options": ["a", "b"], "gold": "a"}
MANY = [f"option {number}" for number in range(255)]
ROW = b'{"item_id": "q1", "answer": "a"}\n'
OTHER = b'{"item_id": "q2", "answer": "a"}\n'


@pytest.fixture(scope="module")
def bench(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "w.duckdb"
    copied(template, path)
    items = folder / "items.jsonl"
    more = [{**ITEM, "item_id": "q2"}, {**ITEM, "item_id": "many", "options": MANY}]
    more[1]["gold"] = MANY[254]
    items.write_text("".join(f"{json.dumps(each)}\n" for each in (ITEM, *more)))
    result = jevdb(path, "ingest", "items", str(items), "--benchmark", "b")
    assert result.exit_code == 0, result.stderr
    return path


def gz_bomb(start: bytes, filler: bytes, size: int) -> bytes:
    """Compress so many bytes of filler without ever holding them."""
    packer = zlib.compressobj(9, wbits=31)
    block = filler * (MIB // len(filler))
    parts = [packer.compress(start)]
    parts += [packer.compress(block) for _ in range(size // MIB)]
    return b"".join([*parts, packer.flush()])


def zst_bomb(start: bytes, size: int) -> bytes:
    packer = zstd.ZstdCompressor(level=3)
    parts = [packer.compress(start)]
    parts += [packer.compress(b"\n" * MIB) for _ in range(size // MIB)]
    return b"".join([*parts, packer.flush()])


def zip_bomb(size: int, members: int = 1) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", '{"eval": {"task": "t", "model": "m"}}')
        for number in range(members):
            archive.writestr(f"samples/{number}_epoch_1.json", b" " * size)
    return out.getvalue()


def deep(depth: int) -> bytes:
    nested = b"[" * depth + b"]" * depth
    return b'{"item_id": "q1", "answer": "a", "meta": {"x": ' + nested + b"}}\n"


def many() -> bytes:
    """255 probabilities, 1/256 each but the last: 254/256 + 2/256 = 1."""
    values = dict.fromkeys(MANY, 1 / 256) | {MANY[254]: 2 / 256}
    return json.dumps({"item_id": "many", "probabilities": values}).encode()


def bad_checksum() -> bytes:
    second = bytearray(gzip.compress(OTHER))
    second[-8] ^= 1
    return gzip.compress(ROW) + bytes(second)


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "a gzip bomb of blank lines": (
        lambda: gz_bomb(ROW, b"\n", 200 * MIB),
        "gzip data expands to over 64 MiB and over 500 times its size",
    ),
    "a gzip bomb of one line": (
        lambda: gz_bomb(b'{"item_id": "', b"x", 200 * MIB),
        "a line is longer than 64 MiB",
    ),
    "a gzip bomb of one list": (
        lambda: gz_bomb(b'[{"item_id": "q1"},', b" ", 200 * MIB),
        "gzip data expands to over 64 MiB and over 500 times its size",
    ),
    "a Zstandard bomb": (
        lambda: zst_bomb(ROW, 200 * MIB),
        "zstd data expands to over 64 MiB and over 500 times its size",
    ),
    "a ZIP bomb": (
        lambda: zip_bomb(100 * MIB),
        "samples/0_epoch_1.json: expands to over 64 MiB",
    ),
    "5,000 lists in each other": (lambda: deep(5000), ":1: nested too deeply"),
    "200,000 lists in each other": (lambda: deep(200_000), ":1: nested too deeply"),
    "5,000 open lists": (lambda: b"[" * 5000, ": "),
    "a list of 5,000 open lists": (lambda: b"[{" + b'"a":[' * 5000, ": "),
    "a lone surrogate in a label": (
        lambda: b'{"item_id": "q1", "answer": "\\ud800"}\n',
        ":1: ",
    ),
    "a lone surrogate in an id": (
        lambda: b'{"item_id": "\\udfff", "answer": "a"}\n',
        ":1: ",
    ),
    "a surrogate as UTF-8": (
        lambda: b'{"item_id": "q1", "answer": "\xed\xa0\x80"}\n',
        ":1: not UTF-8",
    ),
    "NUL in an error": (
        lambda: b'{"item_id": "q1", "status": "error", "error": "\\u0000"}\n',
        ":1: $.error",
    ),
    "NUL in meta": (
        lambda: b'{"item_id": "q1", "answer": "a", "meta": {"x": "\\u0000"}}\n',
        ":1: $.meta",
    ),
    "a file of NUL": (lambda: bytes(MIB), ": "),
    "a truncated gzip": (lambda: gzip.compress(ROW * 9)[:-9], "gzip data is cut short"),
    "a second member with a bad checksum": (bad_checksum, "gzip data is damaged"),
    "a second member that is no gzip": (
        lambda: gzip.compress(ROW) + b"rubbish",
        "gzip data is",
    ),
    "a gzip of a gzip": (lambda: gzip.compress(gzip.compress(ROW)), ": "),
    "a whole number of a million digits": (
        lambda: b'{"item_id": "q1", "input_tokens": ' + b"9" * MIB + b"}\n",
        ":1: $.input_tokens",
    ),
}
ACCEPTED: dict[str, tuple[Callable[[], bytes], int]] = {
    "a line of 20 MB": (
        lambda: (
            b'{"item_id": "q1", "answer": "a", "meta": {"x": "'
            + b"y" * (20 * MIB)
            + b'"}}\n'
        ),
        1,
    ),
    "255 options": (many, 1),
    "a byte order mark and CRLF": (
        lambda: b"\xef\xbb\xbf" + (ROW + OTHER).replace(b"\n", b"\r\n"),
        2,
    ),
    "only old Mac line ends": (lambda: (ROW + OTHER).replace(b"\n", b"\r"), 2),
    "two members and padding": (
        lambda: gzip.compress(ROW) + gzip.compress(OTHER) + bytes(512),
        2,
    ),
    "rows that compress 100 times": (
        lambda: gzip.compress(b"\n" * MIB + ROW + OTHER),
        2,
    ),
}


def ingest(bench: Path, path: Path, data: bytes) -> Ended:
    path.write_bytes(data)
    named = ("--benchmark", "b", "--model", "m", "--dry-run", "--json")
    return run_forked(bench, "ingest", "run", str(path), *named)


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_file_is_refused(bench: Path, tmp_path: Path, name: str):
    make, message = REFUSED[name]
    path = tmp_path / "rows"
    ended = ingest(bench, path, make())
    assert ended.exit_code == 1, ended.stderr[-500:]
    if ended.stdout:
        told = json.loads(ended.stdout)
        assert len(told["problems"]) == told["total"] == 1
    fault, *page = ended.stderr.splitlines()
    assert fault.startswith("error: "), ended.stderr[-500:]
    assert page in ([], ["what a file may hold: docs/canonical.md"])
    assert len(ended.stderr) < 1000, "the message does not repeat the file"
    assert f"rows{message}" in ended.stderr or message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.memory < MOST_MEMORY, f"{ended.memory // MIB} MiB"


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_odd_file_is_read(bench: Path, tmp_path: Path, name: str):
    make, rows = ACCEPTED[name]
    ended = ingest(bench, tmp_path / "rows", make())
    assert ended.exit_code == 0, ended.stderr[-500:]
    summary = json.loads(ended.stdout)
    assert (summary["ok"], summary["read"]) == (rows, rows)
    assert ended.memory < MOST_MEMORY, f"{ended.memory // MIB} MiB"


def test_a_file_holds_no_more_than_is_stated(
    bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """However slowly it expands: here two times."""
    monkeypatch.setattr("jevdb.ingest.files.sources.MOST_GIVEN", MIB)
    file = tmp_path / "p.jsonl.gz"
    file.write_bytes(gzip.compress(ROW + os.urandom(MIB).hex().encode(), 1))
    result = jevdb(
        bench, "ingest", "run", str(file), "--benchmark", "b", "--model", "x"
    )
    assert result.exit_code == 1, result.stderr
    assert "gzip data expands to over 0 GiB, the most that a file" in result.stderr


@pytest.mark.parametrize(
    "line",
    [
        '{"item_id": "q1", "answer": "a", "' + "k" * (2 * MIB) + '": 1}\n',
        '{"item_id": "' + "v" * (2 * MIB) + '", "answer": "a"}\n',
        '{"item_id": "q1", "probabilities": {"' + "p" * (2 * MIB) + '": "x"}}\n',
        '{"item_id": "q1", "status": "' + "s" * (2 * MIB) + '"}\n',
    ],
)
def test_a_key_or_value_of_megabytes_is_cut(bench: Path, tmp_path: Path, line: str):
    file = tmp_path / "p.jsonl"
    file.write_text(line)
    result = jevdb(
        bench, "ingest", "run", str(file), "--benchmark", "b", "--model", "x"
    )
    assert len(result.output) < 8000
    assert result.exit_code == 1 and "..." in result.stderr
